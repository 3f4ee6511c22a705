import { startTransition, useEffect, useMemo, useState } from "react";
import { renderInWorker } from "@/lib/client/preview";
import { type Preview, previewOf } from "@/lib/markdown/preview";

/** Any text of this length renders in less than 100 ms (measured), between two keystrokes. */
const MAX_SYNC_CHARACTERS = 10_000;

/** Renders a short text at once, a long one in a worker. Returns the previous one meanwhile, or null if there is none. */
export function usePreview(text: string): Preview | null {
  const isShort = text.length <= MAX_SYNC_CHARACTERS;
  const sync = useMemo(() => (isShort ? previewOf(text) : null), [isShort, text]);
  const [shown, setShown] = useState(sync);
  if (sync && sync !== shown) setShown(sync);
  useEffect(() => {
    if (isShort) return;
    const stop = new AbortController();
    renderInWorker(text, stop.signal).then((preview) => {
      if (preview && !stop.signal.aborted) startTransition(() => setShown(preview));
    });
    return () => stop.abort();
  }, [isShort, text]);
  return sync ?? shown;
}
