/** Runs at most `max` of the given tasks at once, in the order they came. */
export function createLimiter(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // The place is handed on rather than freed, so that nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
