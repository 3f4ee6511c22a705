import { startTransition, useEffect, useMemo, useState } from "react";
import { renderAside } from "@/lib/client/preview";
import { type Preview, previewOf } from "@/lib/markdown/preview";

/** So many characters are rendered between two keystrokes, whatever they are: less than 100 ms, measured. */
const AT_ONCE = 10_000;

/**
 * A text as it will be read: a short one at once, a long one from a worker. Until that has answered, the text before stays;
 * null when there was none.
 */
export function usePreview(text: string): Preview | null {
  const isShort = text.length <= AT_ONCE;
  const atOnce = useMemo(() => (isShort ? previewOf(text) : null), [isShort, text]);
  const [shown, setShown] = useState(atOnce);
  if (atOnce && atOnce !== shown) setShown(atOnce);
  useEffect(() => {
    if (isShort) return;
    const stop = new AbortController();
    renderAside(text, stop.signal).then((preview) => {
      if (preview && !stop.signal.aborted) startTransition(() => setShown(preview));
    });
    return () => stop.abort();
  }, [isShort, text]);
  return atOnce ?? shown;
}
