import pLimit from "p-limit";

const WORK_SECONDS = 10;
/** The time to load the worker's script. */
const START_SECONDS = 30;

/** Allows two workers, which are threads: a screen may have many long texts. */
const limit = pLimit(2);

/** Why a worker gave no answer: its script was not loaded, it broke, or it took longer than these seconds. */
export type NoAnswer = "notLoaded" | "broke" | { slowerThan: number };

/**
 * The answer of a new worker to one message, within ten seconds; null once `signal` is aborted. A worker says "ready" first.
 */
export function inWorker<Answer>(
  start: () => Worker,
  message: unknown,
  signal: AbortSignal,
  without: (why: NoAnswer) => Answer,
): Promise<Answer | null> {
  return limit(async () => (signal.aborted ? null : run(start, message, signal, without))).catch(() =>
    // The browser allows no worker.
    without("notLoaded"),
  );
}

function run<Answer>(
  start: () => Worker,
  message: unknown,
  signal: AbortSignal,
  without: (why: NoAnswer) => Answer,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const worker = start();
    let onFailure: NoAnswer = "notLoaded";
    let timer = after(START_SECONDS, onFailure);
    worker.addEventListener("message", ({ data }: MessageEvent<"ready" | Answer>) => {
      if (data !== "ready") return end(data);
      clearTimeout(timer);
      onFailure = "broke";
      timer = after(WORK_SECONDS, { slowerThan: WORK_SECONDS });
      worker.postMessage(message);
    });
    worker.addEventListener("error", () => end(without(onFailure)));
    signal.addEventListener("abort", () => end(null));

    function after(seconds: number, why: NoAnswer) {
      return setTimeout(() => end(without(why)), seconds * 1000);
    }
    function end(answer: Answer | null): void {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    }
  });
}
