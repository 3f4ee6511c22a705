/** One at a time by key, in this process: a second caller gets the first one's outcome instead of doing it again. */
export function createInFlight<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  return (key, work) => {
    const known = running.get(key);
    if (known) return known;
    const outcome = work().finally(() => running.delete(key));
    running.set(key, outcome);
    return outcome;
  };
}
