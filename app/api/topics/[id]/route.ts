import { z } from "zod";
import { deleteTopic } from "@/lib/features/deletion/writes";
import { ownedTopic } from "@/lib/features/topics/reads";
import { topicOut, updateTopicInput } from "@/lib/features/topics/schema";
import { updateTopic } from "@/lib/features/topics/writes";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "getTopic",
    summary: "One topic.",
    // A topic has the counts of its keywords and pieces.
    shows: { nouns: ["topic", "keyword", "piece"], failed: "The topic did not load" },
    params,
    reply: topicOut,
  },
  ({ actor, params }) => ownedTopic(actor, params.id),
);

export const PATCH = route(
  {
    operationId: "updateTopic",
    summary: "Changes a topic.",
    changes: ["topic"],
    params,
    body: updateTopicInput,
    example: { name: "Watering", description: "Little and often." },
    reply: topicOut,
  },
  ({ actor, params, body }) => updateTopic(actor, params.id, body),
);

export const DELETE = route(
  {
    operationId: "deleteTopic",
    summary: "Deletes a topic with its keywords and content.",
    changes: ["topic", "keyword", "piece", "unfinished", "queue"],
    params,
  },
  ({ actor, params }) => deleteTopic(actor, params.id),
);
