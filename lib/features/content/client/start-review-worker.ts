/** A worker is started once typing pauses for this long. */
export const PAUSE_MS = 300;

/** A new worker for review-worker.ts. The URL is literal, as the bundler needs it to make a chunk of that file. */
export function startReviewWorker(): Worker {
  return new Worker(new URL("./review-worker.ts", import.meta.url));
}
