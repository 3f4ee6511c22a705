"use client";

import { type ComponentProps, type Ref, useEffect, useEffectEvent, useLayoutEffect } from "react";

const EVENTS = {
  onClick: "click",
  onKeyDown: "keydown",
  onPointerDown: "pointerdown",
  onPointerMove: "pointermove",
  onPointerLeave: "pointerleave",
  onFocus: "focusin",
  onBlur: "focusout",
} as const;
type Handlers = { [K in keyof typeof EVENTS]?: (event: Event) => void };

/**
 * Stands in a Radix trigger (asChild) for an element that was on the page before Radix was loaded: the element gets the
 * trigger's handlers and attributes and stays the one it was, with its focus. `first` is the event that asked for it all.
 */
export function LentTrigger({
  element,
  first,
  ref,
  ...props
}: ComponentProps<"button"> & { element: HTMLElement; first?: Event | null }) {
  const handlers = props as unknown as Handlers;
  useLayoutEffect(() => lend(ref, element), [ref, element]);

  const handle = useEffectEvent((name: keyof Handlers, event: Event) => handlers[name]?.(event));
  useLayoutEffect(() => {
    const stops = Object.entries(EVENTS).map(([name, type]) => {
      const listen = (event: Event) => handle(name as keyof Handlers, asOfReact(event));
      element.addEventListener(type, listen);
      return () => element.removeEventListener(type, listen);
    });
    return () => {
      for (const stop of stops) stop();
    };
  }, [element]);

  const attributes = Object.entries(props).filter(([name]) => /^(id|aria-|data-)/.test(name));
  useLayoutEffect(() => {
    for (const [name, value] of attributes) {
      if (value === undefined) element.removeAttribute(name);
      else element.setAttribute(name, String(value));
    }
  });

  const repeat = useEffectEvent(() => {
    const name = Object.keys(EVENTS).find((key) => EVENTS[key as keyof Handlers] === first?.type);
    if (name && first) handlers[name as keyof Handlers]?.(first);
  });
  useEffect(() => repeat(), []);
  return null;
}

/** Radix asks this of the events it is given, which come from React elsewhere. */
function asOfReact(event: Event): Event {
  return Object.assign(event, { isPropagationStopped: () => event.cancelBubble });
}

function lend(ref: Ref<HTMLButtonElement> | undefined, element: HTMLElement): (() => void) | undefined {
  const lent = element as HTMLButtonElement;
  if (typeof ref !== "function") {
    if (ref) ref.current = lent;
    return undefined;
  }
  const giveBack = ref(lent);
  return () => (giveBack ? giveBack() : ref(null));
}
