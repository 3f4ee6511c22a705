import { NonRetriableError, RetryAfterError } from "inngest";
import { isAppError } from "@/lib/errors";

/** Failures of one person's provider or text are settled in the row; what reaches the engine is ours, so it may try for hours. */
export const RETRIES = 20;

/** The catalogue as the engine understands it: come back later, never again, or by its own back-off. */
export async function settled<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.retryAfter !== undefined)
      throw new RetryAfterError(error.message, error.retryAfter * 1000, { cause: error });
    throw new NonRetriableError(error.message, { cause: error });
  }
}
