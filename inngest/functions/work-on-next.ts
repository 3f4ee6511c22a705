import { itemFunction } from "@/inngest/runs";
import { nextItemQueued } from "@/lib/events/catalogue";
import { OUTLINES } from "@/lib/features/generation/steps/outline";
import { TEXTS } from "@/lib/features/generation/steps/text";
import { workOnItem } from "@/lib/features/work/steps";

/** One at a time beside the queues, so that it begins at once, however many wait there. */
export const workOnNext = itemFunction(
  { id: "work-on-next", name: "Work on an item moved to the front", trigger: nextItemQueued, limit: 1 },
  (run, jobType) => workOnItem(jobType === "outline_generation" ? OUTLINES : TEXTS, run),
);
