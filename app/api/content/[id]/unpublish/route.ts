import { z } from "zod";
import { contentOut } from "@/lib/features/content/schema";
import { unpublishContent } from "@/lib/features/publishing/writes/unpublish";
import { siteInput } from "@/lib/features/sites/schema";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "unpublishContent",
    summary: "Turns the post into a draft on the site.",
    changes: ["piece", "queue"],
    params,
    body: siteInput,
    reply: contentOut,
  },
  ({ actor, params, body, request }) => unpublishContent(actor, params.id, body, { signal: request.signal }),
);
