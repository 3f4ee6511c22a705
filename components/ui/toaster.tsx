"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { type CSSProperties, useSyncExternalStore } from "react";
import { Toaster as Sonner } from "sonner";
import { buttonVariants } from "@/components/ui/button";

const PHONE = "(max-width: 767.98px)";

/** The notification area: one toast at a time, at most 420 px wide; on phones on top, clear of sheets and actions. */
export function Toaster() {
  const isPhone = useSyncExternalStore(
    watchPhone,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
  return (
    <Sonner
      position={isPhone ? "top-center" : "bottom-right"}
      visibleToasts={1}
      closeButton
      style={{ "--width": "min(420px, calc(100vw - 32px))" } as CSSProperties}
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

function watchPhone(onChange: () => void): () => void {
  const phone = window.matchMedia(PHONE);
  phone.addEventListener("change", onChange);
  return () => phone.removeEventListener("change", onChange);
}
