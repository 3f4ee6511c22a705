import { boundedCache } from "@/lib/utils/bounded";

/** Remembers keys for `forMs`. `now` must never decrease. */
export function createDedupe(forMs: number) {
  // A Map keeps insertion order: the oldest come first.
  const seen = boundedCache<string, number>(
    "event ids",
    500_000,
    "60 MB. An event that comes again after that starts a second run, whose item has ended or is taken.",
  );

  function prune(now: number): void {
    for (const [key, at] of seen) {
      if (at > now - forMs) return;
      seen.delete(key);
    }
  }

  return {
    prune,
    /** Returns false when the key is known already. */
    add(key: string, now: number): boolean {
      prune(now);
      if (seen.has(key)) return false;
      seen.set(key, now);
      return true;
    },
  };
}
