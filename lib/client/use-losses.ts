import { startTransition, useEffect, useState } from "react";
import { renderInWorker } from "@/lib/client/preview";
import type { Loss } from "@/lib/markdown/losses";
import type { Preview } from "@/lib/markdown/preview";
import { isBlank } from "@/lib/utils/text";

/**
 * What readers will not get of a text, found in a worker: the screen goes on meanwhile, with what the text before it loses.
 * Nothing is known of a text that cannot be rendered.
 */
export function useLosses(text: string): Loss[] {
  const [losses, setLosses] = useState(NONE);
  useEffect(() => {
    if (isBlank(text)) return setLosses(NONE);
    const stop = new AbortController();
    renderInWorker({ text }, stop.signal).then((preview) => {
      if (!stop.signal.aborted) startTransition(() => setLosses(lossesIn(preview)));
    });
    return () => stop.abort();
  }, [text]);
  return losses;
}

function lossesIn(preview: Preview | null): Loss[] {
  return preview && "losses" in preview && preview.losses.length > 0 ? preview.losses : NONE;
}

/** One empty list for all: the screen does not render again for another. */
const NONE: Loss[] = [];
