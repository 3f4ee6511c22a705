import { NonRetriableError, RetryAfterError } from "inngest";
import { defaultMessage, isAppError } from "@/lib/errors";
import { log } from "@/lib/log";

/** There are many: failures of a provider or a text are counted in the item's row; only our own reach the engine as retries. */
export const MAX_RETRIES = 20;

/** Runs a step and throws its failures as the engine's errors, with a message only; the details stay in our log. */
export async function withEngineErrors<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    log.warn({ err: error }, "a step failed");
    throw Object.assign(toEngineError(error), { stack: "" });
  }
}

function toEngineError(error: unknown): Error {
  if (!isAppError(error)) return new Error(`${defaultMessage("INTERNAL")} The app's log says more.`);
  if (error.retryAfter !== undefined) return new RetryAfterError(error.message, error.retryAfter * 1000);
  return new NonRetriableError(error.message);
}
