"use client";

import { X } from "lucide-react";
import { Dialog as DialogPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { useFocusReturn } from "@/components/ui/focus-return";
import { cn } from "@/lib/utils/cn";

export const Dialog = DialogPrimitive.Root;
export const DialogClose = DialogPrimitive.Close;

export const overlayLook =
  "fixed inset-0 z-40 bg-overlay data-[state=open]:animate-in data-[state=closed]:animate-out data-[state=open]:fade-in-0 data-[state=closed]:fade-out-0";

/** In the middle of the window; on phones a sheet at its lower edge. */
export const dialogLook = cn(
  "fixed z-50 grid grid-cols-[minmax(0,1fr)] max-h-[calc(100dvh-32px)] gap-4 overflow-y-auto bg-popover text-popover-foreground shadow-float outline-none",
  "data-[state=open]:animate-in data-[state=closed]:animate-out data-[state=open]:fade-in-0 data-[state=closed]:fade-out-0",
  "md:top-1/2 md:left-1/2 md:w-[calc(100%-32px)] md:max-w-md md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-lg md:p-6",
  "max-md:inset-x-0 max-md:bottom-0 max-md:rounded-t-lg max-md:px-4 max-md:pt-5 max-md:pb-[calc(16px+env(safe-area-inset-bottom))]",
  "max-md:data-[state=open]:slide-in-from-bottom-8",
);

export function DialogContent({ className, children, ...props }: ComponentProps<typeof DialogPrimitive.Content>) {
  const focusReturn = useFocusReturn();
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayLook} />
      <DialogPrimitive.Content
        className={cn(dialogLook, className)}
        onInteractOutside={(event) => isNotification(event.target) && event.preventDefault()}
        {...focusReturn}
        {...props}
      >
        {children}
        <DialogPrimitive.Close asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Close"
            className="absolute top-4 right-4 max-md:top-2 max-md:right-2"
          >
            <X aria-hidden="true" />
          </Button>
        </DialogPrimitive.Close>
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  );
}

/** A notification lies above the dialog: closing it must not close the dialog and lose what was typed. */
function isNotification(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-toast-area]") !== null;
}

export function DialogHeader({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("grid gap-1 pr-8", className)} {...props} />;
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof DialogPrimitive.Title>) {
  return <DialogPrimitive.Title className={cn("font-medium text-md", className)} {...props} />;
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof DialogPrimitive.Description>) {
  return <DialogPrimitive.Description className={cn("text-muted-foreground", className)} {...props} />;
}

/** The buttons, the main one last; on phones one under the other with the main one on top. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn("mt-2 flex justify-end gap-3 max-md:flex-col-reverse max-md:gap-2 max-md:[&>*]:w-full", className)}
      {...props}
    />
  );
}
