import "server-only";
import { Inngest } from "inngest";
import { log } from "@/lib/log";

/** Our app at Inngest. Checkpointing is off: a step's result is known to the engine before the next one starts. */
export const inngest = new Inngest({
  id: "content-planner",
  checkpointing: false,
  logger: {
    info: (...args: unknown[]) => log.debug({ args }, "inngest"),
    warn: (...args: unknown[]) => log.warn({ args }, "inngest"),
    error: (...args: unknown[]) => log.error({ args }, "inngest"),
    debug: () => undefined,
  },
});
