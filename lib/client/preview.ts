import pLimit from "p-limit";
import { startPreviewWorker } from "@/lib/client/start-preview-worker";
import type { Preview, PreviewOf } from "@/lib/markdown/preview";
import { tooSlow } from "@/lib/markdown/too-complex";

const WORK_SECONDS = 10;
/** The time to load the worker's script. */
const START_SECONDS = 30;

/** Allows two workers, which are threads: a screen may have many long texts. */
const limit = pLimit(2);

/** Renders a text in a worker, for at most ten seconds. Null once `signal` is aborted. */
export function renderInWorker(of: PreviewOf, signal: AbortSignal): Promise<Preview | null> {
  return limit(async () => (signal.aborted ? null : runWorker(of, signal))).catch(() => ({ problem: NOT_LOADED }));
}

/** Rejects if the browser allows no worker. */
function runWorker(of: PreviewOf, signal: AbortSignal): Promise<Preview | null> {
  return new Promise((resolve) => {
    const worker = startPreviewWorker();
    let onFailure = { problem: NOT_LOADED };
    let timer = after(START_SECONDS, onFailure);
    worker.addEventListener("message", ({ data }: MessageEvent<"ready" | Preview>) => {
      if (data !== "ready") return end(data);
      clearTimeout(timer);
      onFailure = { problem: FAILED };
      timer = after(WORK_SECONDS, { problem: tooSlow(WORK_SECONDS) });
      worker.postMessage(of);
    });
    worker.addEventListener("error", () => end(onFailure));
    signal.addEventListener("abort", () => end(null));

    function after(seconds: number, preview: Preview) {
      return setTimeout(() => end(preview), seconds * 1000);
    }
    function end(preview: Preview | null): void {
      clearTimeout(timer);
      worker.terminate();
      resolve(preview);
    }
  });
}

const NOT_LOADED =
  "The preview could not be loaded, and your text is unchanged. Check your connection, then open the preview again.";
const FAILED = "Your browser gave up on turning this text into HTML. Divide the text, then try again.";
