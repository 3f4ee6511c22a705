import { dispatchItems } from "@/inngest/functions/dispatch-items";
import { generateOutlines } from "@/inngest/functions/generate-outlines";
import { sweepQueues } from "@/inngest/functions/sweep-queues";
import { writeContent } from "@/inngest/functions/write-content";

export const functions = [dispatchItems, generateOutlines, writeContent, sweepQueues];
