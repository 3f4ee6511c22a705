"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { type CSSProperties, useEffect, useRef, useSyncExternalStore } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { ToastWords } from "@/components/shared/plain-toast";
import { buttonVariants } from "@/components/ui/button";
import { follow, toasts } from "@/lib/client/toast";
import type { ToastInput } from "@/lib/client/toast-input";
import type { ShownToast } from "@/lib/client/toast-queue";

const PHONE = "(max-width: 767.98px)";

/** The notification area: one toast at a time, at most 420 px wide; on phones on top, clear of sheets and actions. */
export function ToasterPanel({ shown }: { shown: ShownToast | null }) {
  const isPhone = useSyncExternalStore(
    watchPhone,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
  useEffect(() => {
    if (shown && !shown.isLeaving) show(shown);
  }, [shown]);
  // Sonner shows what it has not seen leave again, wherever its area is drawn next.
  useEffect(() => () => void sonner.dismiss(), []);
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

/** One id a notification: what is left of one never shortens the next. When it ends is the queue's to say. */
function show({ key, input }: ShownToast): void {
  const { title, variant, action } = input;
  const isError = variant === "destructive";
  const present = isError ? sonner.error : sonner.success;
  const end = () => toasts.close(key);
  present(title, {
    id: key,
    description: <Words id={key} input={input} />,
    duration: Number.POSITIVE_INFINITY,
    className: isError ? "toast-destructive" : undefined,
    onDismiss: end,
    action: action && {
      label: action.label,
      onClick() {
        follow(action);
        end();
      },
    },
  });
}

/** What it says. It is on the page exactly as long as its notification, and tells the queue so. */
function Words({ id, input }: { id: number; input: ToastInput }) {
  const words = useRef<HTMLDivElement>(null);
  const isLeaving = useSyncExternalStore(
    toasts.subscribe,
    () => toasts.read()?.key === id && toasts.read()?.isLeaving === true,
    () => false,
  );
  useEffect(() => {
    const element = words.current;
    toasts.begin(id);
    return () => {
      // In development React ends every effect once while its element stays.
      if (!element?.isConnected) toasts.gone(id);
    };
  }, [id]);
  useEffect(() => {
    // Here, because sonner loses a dismissal of what it has not drawn yet.
    if (isLeaving) sonner.dismiss(id);
  }, [id, isLeaving]);
  return (
    <div ref={words}>
      <ToastWords description={input.description} reference={input.reference} />
    </div>
  );
}
