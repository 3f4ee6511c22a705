/** Remembers keys for a while. Calls must not go back in time. */
export function createSeen(forMs: number) {
  // A Map keeps the order of insertion: the oldest are first.
  const seen = new Map<string, number>();

  function prune(now: number): void {
    for (const [key, at] of seen) {
      if (at > now - forMs) return;
      seen.delete(key);
    }
  }

  return {
    prune,
    /** False when the key was added within the time already. */
    add(key: string, now: number): boolean {
      prune(now);
      if (seen.has(key)) return false;
      seen.set(key, now);
      return true;
    },
  };
}
