import { bounded } from "@/lib/utils/bounded";

/** Lets concurrent callers share the first one's outcome, per key and process. Rejects with SERVICE_UNAVAILABLE beyond `max`. */
export function createSingleFlight<Result>(
  max = 10_000,
): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const running = bounded<string, Promise<Result>>("shared work", max, "Work that is not shared would be done twice.");
  return async (key, work) => {
    const known = running.get(key);
    if (known) return known;
    running.makeRoom();
    const outcome = work().finally(() => running.delete(key));
    running.set(key, outcome);
    return outcome;
  };
}
