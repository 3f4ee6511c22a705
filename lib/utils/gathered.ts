import DataLoader from "dataloader";

/** How long what is asked for waits for others. */
export const GATHER_MS = 10;

/**
 * Asks for many things together: what is asked for within ten milliseconds, at most `most` in a call. `ask` answers in order, with
 * an error for each one that failed; if it throws, all of them fail. Nothing is remembered.
 */
export function gathered<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<(Answer | Error)[]>,
  most: number,
): (item: Item) => Promise<Answer> {
  const loader = new DataLoader<Item, Answer>(ask, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (send) => void setTimeout(send, GATHER_MS),
  });
  return (item) => loader.load(item);
}
