"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toaster as Sonner } from "sonner";
import { buttonVariants } from "@/components/ui/button";

/** The notification area: one toast at a time, at most 420 px wide. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={1}
      closeButton
      className="toaster"
      style={{ "--width": "min(420px, calc(100vw - 32px))" } as React.CSSProperties}
      icons={{
        success: <CircleCheck aria-hidden="true" className="size-4" />,
        error: <CircleAlert aria-hidden="true" className="size-4" />,
        close: <X aria-hidden="true" className="size-4" />,
      }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: "Close",
        classNames: {
          toast: "toast",
          title: "font-medium",
          description: "mt-0.5 text-muted-foreground",
          actionButton: buttonVariants({ variant: "outline", size: "sm" }),
          closeButton: "toast-close",
        },
      }}
    />
  );
}
