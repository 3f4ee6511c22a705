import { z } from "zod";
import { findPieces } from "@/lib/features/content/reads";
import { generateIdeasInput, generateIdeasOut } from "@/lib/features/generation/schema";
import { generateIdeas } from "@/lib/features/generation/writes/ideas";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: intId });

export const POST = route(
  {
    operationId: "generateContentIdeas",
    summary: "Proposes titles for each keyword of a topic and saves them.",
    changes: ["piece"],
    params,
    body: generateIdeasInput,
    example: { topicId: 7, ideasPerKeyword: 2 },
    reply: generateIdeasOut,
    limit: "ai",
    idempotent: "paid",
    storedById: { member: "contentIdeas", all: findPieces },
  },
  ({ actor, params, body }) => generateIdeas(actor, params.id, body),
);
