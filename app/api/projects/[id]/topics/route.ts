import { z } from "zod";
import { listTopics } from "@/lib/features/topics/reads";
import { createTopicInput, listedTopicOut, listTopicsQuery, topicOut } from "@/lib/features/topics/schema";
import { createTopic } from "@/lib/features/topics/writes";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "listTopics",
    summary: "All topics of a project, newest first.",
    // A topic has the counts of its keywords and pieces.
    shows: { nouns: ["topic", "keyword", "piece"], failed: "Failed to fetch topics" },
    params,
    query: listTopicsQuery,
    reply: listedTopicOut.array(),
  },
  async ({ actor, params, query, request }) => pageReply(request, await listTopics(actor, params.id, query)),
);

export const POST = route(
  {
    operationId: "createTopic",
    summary: "Creates a topic.",
    changes: ["topic"],
    params,
    body: createTopicInput,
    example: { name: "Watering", description: "Little and often." },
    reply: topicOut,
    status: 201,
    idempotent: "creation",
  },
  ({ actor, params, body }) => createTopic(actor, params.id, body),
);
