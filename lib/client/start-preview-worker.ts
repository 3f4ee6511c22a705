/** A new worker for preview-worker.ts. The URL is literal, as the bundler needs it to make a chunk of that file. */
export function startPreviewWorker(): Worker {
  return new Worker(new URL("./preview-worker.ts", import.meta.url));
}
