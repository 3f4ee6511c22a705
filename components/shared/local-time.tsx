"use client";

import { useSyncExternalStore } from "react";
import { clockOf } from "@/lib/utils/dates";

type Style = keyof ReturnType<typeof clockOf>;

/** A time or date in the user's time zone. The server does not know it and renders nothing, so reserve the height. */
export function LocalTime({ at, style, before = "" }: { at: string; style: Style; before?: string }) {
  const text = useSyncExternalStore(
    neverChanges,
    () => formatLocalTime(at, style),
    () => null,
  );
  return (
    <span>
      {text === null ? null : before}
      <time dateTime={at}>{text}</time>
    </span>
  );
}

let localClock: ReturnType<typeof clockOf> | undefined;

/** Returns the same as a string, for components rendered in the browser only. */
export function formatLocalTime(at: string, style: Style): string {
  localClock ??= clockOf();
  return localClock[style](new Date(at), new Date());
}

/** There is no timer: relative times are updated with the next render. */
function neverChanges() {
  return () => {};
}
