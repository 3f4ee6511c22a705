import { errorCodes, isDatabaseUnavailable } from "@/lib/db/errors";

/** Retries a transaction that Postgres ended to break a deadlock, three attempts in all. */
export async function retryOnDeadlock<T>(transaction: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (attempts <= 1 || !isDeadlock(error)) throw error;
    return retryOnDeadlock(transaction, attempts - 1);
  }
}

function isDeadlock(error: unknown): boolean {
  return errorCodes(error).some((code) => code === "40P01" || code === "P2034");
}

/** Waits in milliseconds; a restart takes seconds. */
const OUTAGE_BACKOFF_MS = [200, 800, 2_000, 4_000, 8_000];

/**
 * Retries while the database does not answer, for about fifteen seconds: for results that were paid for. `work` may run
 * twice. Other failures throw at once.
 */
export async function retryOnOutage<T>(work: () => Promise<T>, waits = OUTAGE_BACKOFF_MS): Promise<T> {
  const [wait, ...rest] = waits;
  try {
    return await work();
  } catch (error) {
    if (wait === undefined || !isDatabaseUnavailable(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return retryOnOutage(work, rest);
  }
}
