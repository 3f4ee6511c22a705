"use client";

import type { ComponentProps, FocusEvent, ReactElement, ReactNode } from "react";
import { LAYER } from "@/components/shared/focus-return";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";

/** A tooltip for its one child, which must be focusable. It takes no clicks: in a list it lies over the row above. */
export function Hint({
  content,
  side,
  children,
}: {
  content: ReactNode;
  side?: ComponentProps<typeof TooltipContent>["side"];
  children: ReactElement;
}) {
  return (
    <Tooltip>
      <TooltipTrigger asChild onFocus={skipReturnedFocus}>
        {children}
      </TooltipTrigger>
      <TooltipContent side={side} className="pointer-events-none">
        {content}
      </TooltipContent>
    </Tooltip>
  );
}

/** Focus that moved on by Tab shows the tooltip. Focus that came back from a toast or a dialog shows none. */
function skipReturnedFocus(event: FocusEvent): void {
  const { relatedTarget: before } = event;
  if (!before || before.closest(LAYER)) event.preventDefault();
}
