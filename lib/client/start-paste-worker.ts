/** A new worker for paste-worker.ts. The URL is literal, as the bundler needs it to make a chunk of that file. */
export function startPasteWorker(): Worker {
  return new Worker(new URL("./paste-worker.ts", import.meta.url));
}
