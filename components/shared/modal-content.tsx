"use client";

import type { ComponentProps } from "react";
import { useFocusReturn } from "@/components/shared/focus-return";
import { DialogContent } from "@/components/ui/dialog";

/** DialogContent for controlled dialogs: it returns the focus, and closing a notification above it does not close it. */
export function ModalContent(props: ComponentProps<typeof DialogContent>) {
  const focusReturn = useFocusReturn();
  return (
    <DialogContent
      onInteractOutside={(event) => isNotification(event.target) && event.preventDefault()}
      {...focusReturn}
      {...props}
    />
  );
}

function isNotification(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-toast-area]") !== null;
}
