"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { type CSSProperties, useEffect, useSyncExternalStore } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { buttonVariants } from "@/components/ui/button";
import { TOAST_MS, type ToastAction, type ToastInput } from "@/lib/client/toast";

const PHONE = "(max-width: 767.98px)";

/** The notification area: one toast at a time, at most 420 px wide; on phones on top, clear of sheets and actions. */
export function ToasterPanel({ next, onTaken }: { next: ToastInput | null; onTaken: () => void }) {
  const isPhone = useSyncExternalStore(
    watchPhone,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
  useEffect(() => {
    if (!next) return;
    show(next);
    onTaken();
  }, [next, onTaken]);
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

/** One constant id: a new toast takes the place of the one before, so only one is ever there. */
const ID = "toast";

function show(input: ToastInput): void {
  const { title, description, variant = "default", action, durationMs = TOAST_MS, reference } = input;
  const present = variant === "destructive" ? toast.error : toast.success;
  present(title, {
    id: ID,
    // A sentence may be of the person's site, or quote what they wrote, in any direction.
    description: (
      <>
        <span dir="auto" className="block">
          {description}
        </span>
        {reference ? referenceLine(reference) : null}
      </>
    ),
    duration: durationMs,
    className: variant === "destructive" ? "toast-destructive" : undefined,
    action: action ? { label: action.label, onClick: () => follow(action) } : undefined,
  });
}

function referenceLine(reference: string) {
  return <span className="mt-1 block text-xs">Reference: {reference}</span>;
}

function follow(action: ToastAction): void {
  if ("onClick" in action) action.onClick();
  else if (action.newWindow) window.open(action.href, "_blank", "noopener");
  else window.location.assign(action.href);
}
