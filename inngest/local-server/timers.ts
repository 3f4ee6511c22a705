const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Timeouts that can be counted and all be dropped at once, and that may be longer than Node's 24 days. */
export function createTimers() {
  const pending = new Set<{ timeout?: NodeJS.Timeout }>();

  function after(ms: number, then: () => void): void {
    const entry: { timeout?: NodeJS.Timeout } = {};
    const arm = (left: number) => {
      const part = Math.min(left, LONGEST_TIMEOUT_MS);
      entry.timeout = setTimeout(() => {
        if (left > part) return arm(left - part);
        pending.delete(entry);
        then();
      }, part);
    };
    pending.add(entry);
    arm(Math.max(0, ms));
  }

  function clear(): void {
    for (const entry of pending) clearTimeout(entry.timeout);
    pending.clear();
  }

  return { after, clear, count: () => pending.size };
}
