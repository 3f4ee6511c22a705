import { dispatchItems } from "@/inngest/functions/dispatch-items";
import { endItems } from "@/inngest/functions/end-items";
import { generateOutlines } from "@/inngest/functions/generate-outlines";
import { publishPieces } from "@/inngest/functions/publish-pieces";
import { resumeHeld } from "@/inngest/functions/resume-held";
import { settlePostsOnSchedule } from "@/inngest/functions/settle-posts";
import { sweepQueues } from "@/inngest/functions/sweep-queues";
import { workOnNext } from "@/inngest/functions/work-on-next";
import { writeContent } from "@/inngest/functions/write-content";

/** The list is not in an index.ts: with one, next/jest takes this folder for the package `inngest`. */
export const functions = [
  dispatchItems,
  generateOutlines,
  writeContent,
  workOnNext,
  endItems,
  publishPieces,
  resumeHeld,
  settlePostsOnSchedule,
  sweepQueues,
];
