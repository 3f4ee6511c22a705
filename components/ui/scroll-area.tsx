"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/utils/cn";

/** Time after the last movement until the scroll bar hides, in milliseconds. */
const HIDE_MS = 600;

/** A region that scrolls by itself; its bar shows while the pointer or what it holds moves. It keeps its room when hidden. */
export function ScrollArea({ className, ...props }: Omit<ComponentProps<"div">, "onPointerMove" | "onScroll">) {
  const [isShown, setShown] = useState(false);
  const hiding = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hiding.current), []);

  function show() {
    clearTimeout(hiding.current);
    hiding.current = setTimeout(() => setShown(false), HIDE_MS);
    setShown(true);
  }

  return (
    <div
      onPointerMove={show}
      onScroll={show}
      data-bar={isShown ? "shown" : "hidden"}
      className={cn(
        "overflow-y-auto overscroll-contain [scrollbar-color:transparent_transparent] [scrollbar-width:thin]",
        "data-[bar=shown]:[scrollbar-color:var(--border-strong)_transparent]",
        className,
      )}
      {...props}
    />
  );
}
