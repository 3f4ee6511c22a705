"use client";

import { Tooltip as TooltipPrimitive } from "radix-ui";
import type { ReactNode } from "react";
import { LentTrigger } from "@/components/ui/lent-trigger";

/** What a tooltip is shown for, and the event that asked for it. */
export type Pointed = {
  id: string;
  element: HTMLElement;
  content: ReactNode;
  side: "top" | "right" | "bottom" | "left" | undefined;
  first: Event;
};

export function TooltipPanel({ pointed, delayDuration }: { pointed: Pointed; delayDuration?: number }) {
  const { id, element, content, side, first } = pointed;
  return (
    <TooltipPrimitive.Provider delayDuration={delayDuration}>
      <TooltipPrimitive.Root key={id}>
        <TooltipPrimitive.Trigger asChild>
          <LentTrigger element={element} first={first} />
        </TooltipPrimitive.Trigger>
        <TooltipPrimitive.Portal>
          <TooltipPrimitive.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-sm bg-foreground px-2 py-1 text-background text-sm"
          >
            {content}
          </TooltipPrimitive.Content>
        </TooltipPrimitive.Portal>
      </TooltipPrimitive.Root>
    </TooltipPrimitive.Provider>
  );
}
