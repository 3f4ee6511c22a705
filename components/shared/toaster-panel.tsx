"use client";

import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { type CSSProperties, useEffect, useSyncExternalStore } from "react";
import { Toaster as Sonner } from "sonner";
import { PHONE_QUERY } from "@/components/shared/phone-query";
import { toastArea } from "@/components/shared/toast-area";
import { buttonVariants } from "@/components/ui/button";
import { toasts } from "@/lib/client/toast";
import { cn } from "@/lib/utils/cn";

/** The notification area: one toast at a time, at most 420 px wide; at the top on phones, clear of sheets and actions. */
export function ToasterPanel() {
  const isPhone = useSyncExternalStore(
    watchPhone,
    () => window.matchMedia(PHONE_QUERY).matches,
    () => false,
  );
  useEffect(() => toasts.open(toastArea), []);
  return (
    <Sonner
      position={isPhone ? "top-center" : "bottom-right"}
      visibleToasts={1}
      closeButton
      style={{ "--width": "min(420px, calc(100vw - 32px))" } as CSSProperties}
      icons={{
        success: <CircleCheck aria-hidden="true" className="size-4" />,
        info: <Info aria-hidden="true" className="size-4" />,
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
          // Merged, because the style sheet's order would choose between two border colours.
          actionButton: cn(buttonVariants({ variant: "outline", size: "sm" })),
          closeButton: "toast-close",
        },
      }}
    />
  );
}

function watchPhone(onChange: () => void): () => void {
  const phone = window.matchMedia(PHONE_QUERY);
  phone.addEventListener("change", onChange);
  return () => phone.removeEventListener("change", onChange);
}
