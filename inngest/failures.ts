import { NonRetriableError, RetryAfterError } from "inngest";
import { defaultMessage, isAppError } from "@/lib/errors";
import { log } from "@/lib/log";

/** Failures of one person's provider or text are settled in the row; what reaches the engine is ours, so it may try for hours. */
export const RETRIES = 20;

/**
 * The catalogue as the engine understands it: come back later, never again, or by its own back-off. What is thrown here is
 * sent to the engine: a sentence; cause, stack and what we did not expect stand in our log.
 */
export async function settled<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    log.warn({ err: error }, "a step failed");
    throw Object.assign(asTheEngineUnderstands(error), { stack: "" });
  }
}

function asTheEngineUnderstands(error: unknown): Error {
  if (!isAppError(error)) return new Error(`${defaultMessage("INTERNAL")} The app's log says more.`);
  if (error.retryAfter !== undefined) return new RetryAfterError(error.message, error.retryAfter * 1000);
  return new NonRetriableError(error.message);
}
