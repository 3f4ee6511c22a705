import "server-only";
import { AppError } from "@/lib/errors";
import { SHARED_ADDRESS } from "@/lib/limits/address";
import { ENGINE_FAILURES, ENGINE_FAILURES_MS, ENGINE_TRUST_MS, KNOWN_ADDRESSES } from "@/lib/limits/bounds";
import { boundedCache } from "@/lib/utils/bounded";

type Failures = { count: number; until: number };

/**
 * Counts the calls from each address that failed the engine's checks, in this process. An address with twenty failures
 * in a minute is refused, its bodies unread, until the minute ends, unless a verified call came from there in the last
 * ten minutes. Clients that share an unknown address are not counted, because the engine may be one of them.
 */
export function createRefusedCallers(now: () => number = Date.now) {
  const failures = boundedCache<string, Failures>(
    "addresses",
    KNOWN_ADDRESSES,
    "The count of a forgotten address restarts at zero; every signature is still checked.",
  );

  function living(address: string): Failures | undefined {
    const found = failures.get(address);
    if (!found || found.until > now()) return found;
    failures.delete(address);
    return undefined;
  }

  return {
    /** Throws RATE_LIMITED for an address with too many failures. */
    assertWelcome(address: string): void {
      const found = living(address);
      if (!found || found.count < ENGINE_FAILURES) return;
      throw new AppError("RATE_LIMITED", { retryAfter: (found.until - now()) / 1_000 });
    },
    /** Call it after a verified call: the engine's address must not be refused because of others who share it. */
    trust(address: string): void {
      failures.set(address, { count: Number.NEGATIVE_INFINITY, until: now() + ENGINE_TRUST_MS });
    },
    note(address: string): void {
      if (address === SHARED_ADDRESS) return;
      const found = living(address) ?? { count: 0, until: now() + ENGINE_FAILURES_MS };
      failures.set(address, { ...found, count: found.count + 1 });
    },
  };
}
