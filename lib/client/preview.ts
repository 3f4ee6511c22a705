import { inWorker, type NoAnswer } from "@/lib/client/in-worker";
import { startPreviewWorker } from "@/lib/client/start-preview-worker";
import type { Preview, PreviewOf } from "@/lib/markdown/preview";
import { tooSlow } from "@/lib/markdown/too-complex";

/** Renders a text in a worker, for at most ten seconds. Null once `signal` is aborted. */
export function renderInWorker(of: PreviewOf, signal: AbortSignal): Promise<Preview | null> {
  return inWorker<Preview>(startPreviewWorker, of, signal, (why) => ({ problem: sentenceOf(why) }));
}

function sentenceOf(why: NoAnswer): string {
  if (why === "notLoaded")
    return "The preview could not be loaded, and your text is unchanged. Check your connection, then open the preview again.";
  if (why === "broke") return "Your browser gave up on turning this text into HTML. Divide the text, then try again.";
  return tooSlow(why.slowerThan);
}
