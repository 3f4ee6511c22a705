import { itemFunction } from "@/inngest/runs";
import { env } from "@/lib/env";
import { contentItemQueued } from "@/lib/events/catalogue";
import { TEXTS } from "@/lib/features/generation/steps/text";
import { workOnItem } from "@/lib/features/work/steps";

export const writeContent = itemFunction(
  { id: "write-content", name: "Write a post", trigger: contentItemQueued, limit: env.AI_MAX_CONCURRENCY_PER_USER },
  (run) => workOnItem(TEXTS, run),
);
