import { startPreviewWorker } from "@/lib/client/start-preview-worker";
import type { Preview } from "@/lib/markdown/preview";
import { tooSlow } from "@/lib/markdown/too-complex";
import { createLimiter } from "@/lib/utils/limiter";

const WORK_SECONDS = 10;
/** For the worker's own script to come. */
const START_SECONDS = 30;

/** Two at once: a screen may have many long texts, and each worker is a thread. */
const limited = createLimiter(2);

/**
 * A text rendered in a worker, while the page goes on. What takes longer than ten seconds is given up, with the sentence
 * that says what to do. Null when nobody wants it any more.
 */
export function renderAside(text: string, signal: AbortSignal): Promise<Preview | null> {
  return limited(async () => (signal.aborted ? null : inWorker(text, signal))).catch(() => ({ problem: NOT_LOADED }));
}

/** Rejects where no worker may be started at all. */
function inWorker(text: string, signal: AbortSignal): Promise<Preview | null> {
  return new Promise((resolve) => {
    const worker = startPreviewWorker();
    let onFailure = { problem: NOT_LOADED };
    let timer = after(START_SECONDS, onFailure);
    worker.addEventListener("message", ({ data }: MessageEvent<"ready" | Preview>) => {
      if (data !== "ready") return end(data);
      clearTimeout(timer);
      onFailure = { problem: FAILED };
      timer = after(WORK_SECONDS, { problem: tooSlow(WORK_SECONDS) });
      worker.postMessage(text);
    });
    worker.addEventListener("error", () => end(onFailure));
    signal.addEventListener("abort", stop);

    function after(seconds: number, preview: Preview) {
      return setTimeout(() => end(preview), seconds * 1000);
    }
    function stop(): void {
      end(null);
    }
    function end(preview: Preview | null): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      worker.terminate();
      resolve(preview);
    }
  });
}

const NOT_LOADED =
  "The preview could not be loaded, and your text is unchanged. Check your connection, then open the preview again.";
const FAILED = "Your browser gave up on turning this text into HTML. Divide the text, then try again.";
