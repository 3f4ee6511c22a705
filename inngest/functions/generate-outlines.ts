import { itemFunction } from "@/inngest/runs";
import { outlineItemQueued } from "@/lib/events/catalogue";
import { OUTLINES } from "@/lib/features/generation/steps/outline";
import { workOnItem } from "@/lib/features/work/steps";

export const generateOutlines = itemFunction(
  { id: "generate-outlines", name: "Generate an outline", trigger: outlineItemQueued },
  (run) => workOnItem(OUTLINES, run),
);
