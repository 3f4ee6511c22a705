"use client";

import { Dialog as DialogPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { overlayLook } from "@/components/ui/dialog";
import { useFocusReturn } from "@/components/ui/focus-return";
import { cn } from "@/lib/utils/cn";

export const Sheet = DialogPrimitive.Root;
export const SheetTitle = DialogPrimitive.Title;

/** A panel that slides in from the left. */
export function SheetContent({ className, ...props }: ComponentProps<typeof DialogPrimitive.Content>) {
  const focusReturn = useFocusReturn();
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayLook} />
      <DialogPrimitive.Content
        className={cn(
          "fixed inset-y-0 left-0 z-50 bg-popover shadow-float outline-none duration-200",
          "data-[state=open]:slide-in-from-left data-[state=closed]:slide-out-to-left data-[state=open]:animate-in data-[state=closed]:animate-out",
          className,
        )}
        {...focusReturn}
        {...props}
      />
    </DialogPrimitive.Portal>
  );
}
