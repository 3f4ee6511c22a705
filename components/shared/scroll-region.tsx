"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/utils/cn";

const HIDE_AFTER_MS = 600;

/**
 * A scrolling region whose scroll bar shows while the pointer or the content moves. A hidden bar keeps its space. It is
 * the browser's own bar: a library's would add scripts to every screen with a list.
 */
export function ScrollRegion({ className, ...props }: Omit<ComponentProps<"div">, "onPointerMove" | "onScroll">) {
  return <div {...useScrollRegion(className)} {...props} />;
}

/** The same for an element of another component. */
export function useScrollRegion(className?: string) {
  const [isShown, setShown] = useState(false);
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hideTimer.current), []);

  function show() {
    clearTimeout(hideTimer.current);
    hideTimer.current = setTimeout(() => setShown(false), HIDE_AFTER_MS);
    setShown(true);
  }

  return {
    onPointerMove: show,
    onScroll: show,
    "data-bar": isShown ? "shown" : "hidden",
    className: cn(
      "overflow-y-auto overscroll-contain [scrollbar-color:transparent_transparent] [scrollbar-width:thin]",
      "data-[bar=shown]:[scrollbar-color:var(--border-strong)_transparent]",
      className,
    ),
  };
}
