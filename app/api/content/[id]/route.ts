import { z } from "zod";
import { ownedContent } from "@/lib/features/content/reads";
import { contentOut, updateContentInput } from "@/lib/features/content/schema";
import { updateContent } from "@/lib/features/content/writes";
import { deleteContent } from "@/lib/features/deletion/writes";
import { MAX_CONTENT_BODY } from "@/lib/transport/body";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  {
    operationId: "getContent",
    summary: "One piece with body and outline.",
    shows: { nouns: ["piece"], failed: "Error fetching content" },
    params,
    reply: contentOut,
  },
  ({ actor, params }) => ownedContent(actor, params.id),
);

export const PATCH = route(
  {
    operationId: "updateContent",
    summary: "Changes a piece; with an older version VERSION_CONFLICT, and neither text is lost.",
    changes: ["piece"],
    params,
    body: updateContentInput,
    example: { title: "Another title", body: "New text." },
    reply: contentOut,
    maxBody: MAX_CONTENT_BODY,
  },
  ({ actor, params, body }) => updateContent(actor, params.id, body),
);

export const DELETE = route(
  {
    operationId: "deleteContent",
    summary: "Deletes a piece; its post on the site stays.",
    // Its live queue items end with it.
    changes: ["piece", "unfinished", "queue"],
    params,
  },
  ({ actor, params }) => deleteContent(actor, params.id),
);
