import { jobFunction } from "@/inngest/runs";
import { publishingQueued } from "@/lib/events/catalogue";
import { publishForRun } from "@/lib/features/publishing/steps";

export const publishPieces = jobFunction(
  { id: "publish-pieces", name: "Publish or unpublish many pieces", trigger: publishingQueued },
  publishForRun,
);
