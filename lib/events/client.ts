import "server-only";
import { Inngest } from "inngest";
import { env } from "@/lib/env";
import { engineLog } from "@/lib/events/engine-log";
import { RefuseReplays } from "@/lib/events/replays";

/** Our app at Inngest. Checkpointing is off: a step's result is known to the engine before the next one starts. */
export const inngest = new Inngest({
  id: "content-planner",
  checkpointing: false,
  // A deployment takes no unsigned call, whatever its environment says; elsewhere INNGEST_DEV decides.
  ...(env.deployed ? { isDev: false } : {}),
  middleware: [RefuseReplays],
  logger: engineLog,
});
