import { itemFunction } from "@/inngest/runs";
import { env } from "@/lib/env";
import { outlineItemQueued } from "@/lib/events/catalogue";
import { OUTLINES } from "@/lib/features/generation/steps/outline";
import { workOnItem } from "@/lib/features/work/steps";

export const generateOutlines = itemFunction(
  {
    id: "generate-outlines",
    name: "Generate an outline",
    trigger: outlineItemQueued,
    limit: env.AI_MAX_CONCURRENCY_PER_USER,
  },
  (run) => workOnItem(OUTLINES, run),
);
