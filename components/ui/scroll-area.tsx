"use client";

import { ScrollArea as ScrollAreaPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils/cn";

/** Time after the last movement until the scroll bar hides, in milliseconds. */
const HIDE_MS = 600;

/** A region that scrolls by itself; its bar shows under the pointer and while it moves. `viewportClass` bounds its height. */
export function ScrollArea({
  className,
  viewportClass,
  children,
  ...props
}: ComponentProps<typeof ScrollAreaPrimitive.Root> & { viewportClass?: string }) {
  return (
    <ScrollAreaPrimitive.Root
      type="hover"
      scrollHideDelay={HIDE_MS}
      className={cn("relative overflow-hidden", className)}
      {...props}
    >
      {/* The primitive's own table would let long words widen the content. */}
      <ScrollAreaPrimitive.Viewport className={cn("size-full rounded-[inherit] [&>div]:block!", viewportClass)}>
        {children}
      </ScrollAreaPrimitive.Viewport>
      <ScrollAreaPrimitive.Scrollbar orientation="vertical" className="flex w-2 touch-none select-none p-px">
        <ScrollAreaPrimitive.Thumb className="relative flex-1 rounded-full bg-border-strong" />
      </ScrollAreaPrimitive.Scrollbar>
    </ScrollAreaPrimitive.Root>
  );
}
