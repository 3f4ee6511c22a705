"use client";

import type { ComponentType, MouseEvent } from "react";
import { type Late, useLate } from "@/lib/utils/late";

type Opens = { open: boolean; onOpenChange: (open: boolean) => void };

/** A dialog that comes with its form and schema when it is first needed; it closes again when it cannot be loaded. */
export function LateDialog<P extends Opens>({ dialog, ...others }: P & { dialog: Late<ComponentType<P>> }) {
  const props = others as unknown as P;
  const Dialog = useLate(dialog, props.open, () => props.onOpenChange(false));
  return Dialog ? <Dialog {...props} /> : null;
}

/** What the button that opens a dialog carries. */
export function opensDialog(isOpen: boolean, onOpen: () => void) {
  return {
    "aria-haspopup": "dialog" as const,
    "aria-expanded": isOpen,
    onClick(event: MouseEvent<HTMLElement>) {
      // Not every browser focuses a button that is clicked, and the focus comes back to where it was.
      event.currentTarget.focus();
      onOpen();
    },
  };
}
