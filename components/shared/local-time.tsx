"use client";

import { useSyncExternalStore } from "react";
import { clockOf } from "@/lib/utils/dates";

type Style = keyof ReturnType<typeof clockOf>;

/** A moment or a day by the person's own clock. The server does not know it and says nothing: keep the line's height free. */
export function LocalTime({ at, style, before = "" }: { at: string; style: Style; before?: string }) {
  const words = useSyncExternalStore(
    unchanging,
    () => ownTime(at, style),
    () => null,
  );
  return (
    <span>
      {words === null ? null : before}
      <time dateTime={at}>{words}</time>
    </span>
  );
}

let ownClock: ReturnType<typeof clockOf> | undefined;

/** The same as a text, for what is only ever drawn in the browser. */
export function ownTime(at: string, style: Style): string {
  ownClock ??= clockOf();
  return ownClock[style](new Date(at), new Date());
}

/** The clock goes on, but what it said of a moment may stand until something else is drawn. */
function unchanging() {
  return () => {};
}
