import { bounded, boundedSet } from "@/lib/utils/bounded";

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

type Entry = { timeout?: NodeJS.Timeout; then: () => void };

/** Timeouts that can be counted and cleared by owner, and may be longer than Node's 24 days. */
export function createTimers() {
  const pending = bounded<object, Set<Entry>>(
    "waits",
    1_000_000,
    "Each is a live run's, of which the engine takes fewer.",
  );

  function after(owner: object, ms: number, then: () => void): void {
    const entry: Entry = { then };
    const arm = (left: number) => {
      const part = Math.min(left, MAX_TIMEOUT_MS);
      entry.timeout = setTimeout(() => {
        if (left > part) return arm(left - part);
        forget(owner, entry);
        then();
      }, part);
    };
    pending.set(owner, (pending.get(owner) ?? waitsOf()).add(entry));
    arm(Math.max(0, ms));
  }

  function waitsOf(): Set<Entry> {
    return boundedSet("waits of a run", 1_000, "A run has no more steps.");
  }

  function forget(owner: object, entry: Entry): void {
    const own = pending.get(owner);
    own?.delete(entry);
    if (own?.size === 0) pending.delete(owner);
  }

  function clearFor(owner: object): void {
    for (const entry of pending.get(owner) ?? []) clearTimeout(entry.timeout);
    pending.delete(owner);
  }

  function wake(): void {
    const due = [...pending.values()].flatMap((own) => [...own]);
    for (const owner of pending.keys()) clearFor(owner);
    for (const { then } of due) then();
  }

  return {
    after,
    clearFor,
    wake,
    clear: () => {
      for (const owner of pending.keys()) clearFor(owner);
    },
    count: () => [...pending.values()].reduce((sum, own) => sum + own.size, 0),
  };
}
