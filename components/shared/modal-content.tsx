"use client";

import type { ComponentProps } from "react";
import { useFocusReturn } from "@/components/shared/focus-return";
import { DialogContent } from "@/components/ui/dialog";

/** DialogContent for controlled dialogs: it returns the focus, and closing a notification above it does not close it. */
export function ModalContent({
  onClosed,
  ...props
}: ComponentProps<typeof DialogContent> & {
  /** Called once it is gone and the focus is back: what opens then returns the focus there too. */
  onClosed?: () => void;
}) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();
  return (
    <DialogContent
      onInteractOutside={(event) => isNotification(event.target) && event.preventDefault()}
      onOpenAutoFocus={onOpenAutoFocus}
      onCloseAutoFocus={() => {
        onCloseAutoFocus();
        if (onClosed) queueMicrotask(onClosed);
      }}
      {...props}
    />
  );
}

function isNotification(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-toast-area]") !== null;
}
