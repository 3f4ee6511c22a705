import { resumeOut } from "@/lib/features/jobs/schema";
import { resumeProcessing } from "@/lib/features/jobs/writes/recover";
import { route } from "@/lib/transport/route";

export const POST = route(
  { summary: "Sends again what waits in the person's queues.", reply: resumeOut },
  ({ actor }) => resumeProcessing(actor),
);
