import "server-only";
import { Inngest } from "inngest";
import { env } from "@/lib/env";
import { engineLog } from "@/lib/events/engine-log";

/** How long the engine may take to answer a call of ours. */
export const ENGINE_TIMEOUT_MS = 3_000;

/** Our app at Inngest. Checkpointing is off: a step's result is known to the engine before the next one starts. */
export const inngest = new Inngest({
  id: "content-planner",
  checkpointing: false,
  // A deployment takes no unsigned call, whatever its environment says; elsewhere INNGEST_DEV decides.
  ...(env.deployed ? { isDev: false } : {}),
  fetch: limitedFetch,
  logger: engineLog,
});

/** The SDK tries an event five times; a hanging try would last for minutes. */
function limitedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const isEvent = typeof url === "string" && new URL(url).pathname.startsWith("/e/");
  return fetch(url, isEvent ? { ...init, signal: AbortSignal.timeout(ENGINE_TIMEOUT_MS) } : init);
}
