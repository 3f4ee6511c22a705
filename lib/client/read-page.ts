import { inWorker } from "@/lib/client/in-worker";
import { startPasteWorker } from "@/lib/client/start-paste-worker";
import type { FromHtml } from "@/lib/markdown/from-html";

/** Reads what another application has copied, in a worker. Null if it took too long or could not be done. */
export function readPage(html: string, text: string): Promise<FromHtml | null> {
  return inWorker<FromHtml | null>(startPasteWorker, { html, text }, new AbortController().signal, () => null);
}
