import { itemFunction } from "@/inngest/runs";
import { contentItemQueued } from "@/lib/events/catalogue";
import { TEXTS } from "@/lib/features/generation/steps/text";
import { workOnItem } from "@/lib/features/work/steps";

export const writeContent = itemFunction(
  { id: "write-content", name: "Write a post", trigger: contentItemQueued },
  (run) => workOnItem(TEXTS, run),
);
