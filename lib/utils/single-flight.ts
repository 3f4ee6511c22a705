/** Lets concurrent callers share the first one's outcome, per key and process. */
export function createSingleFlight<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  return (key, work) => {
    const known = running.get(key);
    if (known) return known;
    const outcome = work().finally(() => running.delete(key));
    running.set(key, outcome);
    return outcome;
  };
}
