import { inWorker } from "@/lib/client/in-worker";
import { startPasteWorker } from "@/lib/client/start-paste-worker";
import type { FromHtml } from "@/lib/markdown/from-html";

/** A page or document of the clipboard, as Markdown. */
export type ReadPage = FromHtml;

/** Reads what another application has copied, in a worker. Null if it took too long or could not be done. */
export function readPage(html: string, text: string): Promise<ReadPage | null> {
  return inWorker<ReadPage | null>(startPasteWorker, { html, text }, new AbortController().signal, () => null);
}
