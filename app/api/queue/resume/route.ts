import { resumeOut } from "@/lib/features/jobs/schema";
import { resumeProcessing } from "@/lib/features/jobs/writes";
import { route } from "@/lib/transport/route";

export const POST = route({ reply: resumeOut }, ({ actor }) => resumeProcessing(actor));
