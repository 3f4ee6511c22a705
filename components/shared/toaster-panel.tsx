"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { type CSSProperties, useEffect, useRef, useSyncExternalStore } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { PHONE_QUERY } from "@/components/shared/phone-query";
import { ToastBody, toastButton } from "@/components/shared/plain-toast";
import { runAction, toasts } from "@/lib/client/toast";
import type { ToastInput } from "@/lib/client/toast-input";
import type { ShownToast } from "@/lib/client/toast-queue";

/** The notification area: one toast at a time, at most 420 px wide; at the top on phones, clear of sheets and actions. */
export function ToasterPanel({ shown }: { shown: ShownToast | null }) {
  const isPhone = useSyncExternalStore(
    watchPhone,
    () => window.matchMedia(PHONE_QUERY).matches,
    () => false,
  );
  useEffect(() => {
    if (shown && !shown.isLeaving) show(shown);
  }, [shown]);
  // Sonner would show an undismissed toast again wherever it is mounted next.
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
          actionButton: toastButton,
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

/** Each toast has its own id, so that an old timer never shortens a new one. The queue decides when it ends. */
function show({ key, input }: ShownToast): void {
  const { title, variant, action } = input;
  const isError = variant === "destructive";
  const showToast = isError ? sonner.error : sonner.success;
  const end = () => toasts.close(key);
  showToast(title, {
    id: key,
    description: <MountedToastBody id={key} input={input} />,
    duration: Number.POSITIVE_INFINITY,
    className: isError ? "toast-destructive" : undefined,
    onDismiss: end,
    action: action && {
      label: action.label,
      onClick() {
        runAction(action);
        end();
      },
    },
  });
}

/** Reports to the queue when its toast is mounted and unmounted. */
function MountedToastBody({ id, input }: { id: number; input: ToastInput }) {
  const body = useRef<HTMLDivElement>(null);
  const isLeaving = useSyncExternalStore(
    toasts.subscribe,
    () => toasts.read()?.key === id && toasts.read()?.isLeaving === true,
    () => false,
  );
  useEffect(() => {
    const element = body.current;
    toasts.begin(id);
    return () => {
      // In development React runs every cleanup once while the element stays.
      if (!element?.isConnected) toasts.gone(id);
    };
  }, [id]);
  useEffect(() => {
    // Dismissed only here, because sonner ignores the dismissal of a toast it has not rendered yet.
    if (isLeaving) sonner.dismiss(id);
  }, [id, isLeaving]);
  return (
    <div ref={body}>
      <ToastBody description={input.description} reference={input.reference} />
    </div>
  );
}
