import type { Reviewed } from "@/lib/features/content/seo/material";
import { reviewOf } from "@/lib/features/content/seo/review";
import { fromHtml } from "@/lib/markdown/from-html";
import { type PreviewOf, previewOf } from "@/lib/markdown/preview";

/** The behaviour of the test's workers, and those still alive. */
export const previewWorkers = {
  behaviour: "answer" as "answer" | "hang" | "crash" | "not there" | "forbidden" | "silent",
  started: 0,
  live: new Set<Worker>(),
};

export function resetPreviewWorkers(): void {
  previewWorkers.behaviour = "answer";
  previewWorkers.started = 0;
  previewWorkers.live.clear();
}

/** Replaces lib/client/start-preview-worker.ts: jsdom has no workers, and jest bundles none. */
export function startPreviewWorker(): Worker {
  return start((of) => previewOf(of as PreviewOf));
}

/** Replaces lib/client/start-paste-worker.ts. */
export function startPasteWorker(): Worker {
  return start((of) => {
    const { html, text } = of as { html: string; text: string };
    return fromHtml(html, text);
  });
}

export const PAUSE_MS = 0;

/** Replaces lib/features/content/client/start-review-worker.ts. */
export function startReviewWorker(): Worker {
  return start((of) => reviewOf(of as Reviewed));
}

function start(answerTo: (message: unknown) => unknown): Worker {
  if (previewWorkers.behaviour === "forbidden") throw new Error("SecurityError");
  const worker = new PretendedWorker(answerTo) as unknown as Worker;
  previewWorkers.started++;
  previewWorkers.live.add(worker);
  return worker;
}

class PretendedWorker extends EventTarget {
  constructor(private readonly answerTo: (message: unknown) => unknown) {
    super();
    if (previewWorkers.behaviour === "silent") return;
    this.later(() => (previewWorkers.behaviour === "not there" ? this.fail() : this.tell("ready")));
  }

  postMessage(of: unknown): void {
    if (previewWorkers.behaviour === "crash") this.later(() => this.fail());
    if (previewWorkers.behaviour === "answer") this.later(() => this.tell(this.answerTo(of)));
  }

  terminate(): void {
    previewWorkers.live.delete(this as unknown as Worker);
  }

  private tell(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  private fail(): void {
    this.dispatchEvent(new Event("error"));
  }

  /** Workers respond asynchronously, and a terminated one not at all. */
  private later(work: () => void): void {
    setTimeout(() => previewWorkers.live.has(this as unknown as Worker) && work(), 0);
  }
}
