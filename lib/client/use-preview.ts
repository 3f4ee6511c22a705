import { startTransition, useEffect, useMemo, useState } from "react";
import { renderInWorker } from "@/lib/client/preview";
import { type Preview, type PreviewOf, previewOf } from "@/lib/markdown/preview";

/** Any text of this length renders in less than 100 ms (measured), between two keystrokes. */
const MAX_SYNC_CHARACTERS = 10_000;

/** Renders a short text at once, a long one in a worker. Returns the previous one meanwhile, or null if there is none. */
export function usePreview({ text, title }: PreviewOf): Preview | null {
  const isShort = text.length <= MAX_SYNC_CHARACTERS;
  const sync = useMemo(() => (isShort ? previewOf({ text, title }) : null), [isShort, text, title]);
  const [shown, setShown] = useState(sync);
  if (sync && sync !== shown) setShown(sync);
  useEffect(() => {
    if (isShort) return;
    const stop = new AbortController();
    renderInWorker({ text, title }, stop.signal).then((preview) => {
      if (preview && !stop.signal.aborted) startTransition(() => setShown(preview));
    });
    return () => stop.abort();
  }, [isShort, text, title]);
  return sync ?? shown;
}
