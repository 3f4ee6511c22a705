import { z } from "zod";
import { listTopicContent } from "@/lib/features/content/reads";
import { contentOut, contentPageQuery, contentSummaryOut, createContentInput } from "@/lib/features/content/schema";
import { createContent } from "@/lib/features/content/writes";
import { MAX_CONTENT_BODY } from "@/lib/transport/body";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId, topicId: intId });

export const GET = route(
  {
    operationId: "listTopicContent",
    summary: "All pieces of a topic, newest first, without body and outline.",
    shows: { nouns: ["piece"], failed: "Failed to fetch content" },
    params,
    query: contentPageQuery,
    reply: contentSummaryOut.array(),
  },
  async ({ actor, params, query, request }) =>
    pageReply(request, await listTopicContent(actor, params.id, params.topicId, query)),
);

export const POST = route(
  {
    operationId: "createContent",
    summary: "Adds a piece by hand.",
    changes: ["piece"],
    params,
    body: createContentInput,
    example: { title: "A piece by hand", body: "Text." },
    reply: contentOut,
    status: 201,
    maxBody: MAX_CONTENT_BODY,
    idempotent: "creation",
  },
  ({ actor, params, body }) => createContent(actor, params.id, params.topicId, body),
);
