"use client";

import type { ComponentType, MouseEvent } from "react";
import { type LazyModule, lazyModule, useLazyPopup } from "@/lib/utils/lazy-module";

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** A controlled dialog whose code, with its form and schema, is loaded separately from the page. */
export function lazyDialog<P extends DialogProps>(load: () => Promise<ComponentType<P>>) {
  const dialog = lazyModule(load);
  return (props: P) => <LazyDialog dialog={dialog} props={props} />;
}

function LazyDialog<P extends DialogProps>({ dialog, props }: { dialog: LazyModule<ComponentType<P>>; props: P }) {
  const Dialog = useLazyPopup(dialog, props.open, () => props.onOpenChange(false));
  return Dialog ? <Dialog {...props} /> : null;
}

/** Props of the button that opens a dialog. */
export function dialogTriggerProps(isOpen: boolean, onOpen: () => void) {
  return {
    "aria-haspopup": "dialog" as const,
    "aria-expanded": isOpen,
    onClick(event: MouseEvent<HTMLElement>) {
      // Safari does not focus a clicked button, and the dialog returns the focus to where it was.
      event.currentTarget.focus();
      onOpen();
    },
  };
}
