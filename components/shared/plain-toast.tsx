import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect } from "react";
import { buttonVariants } from "@/components/ui/button";
import { runAction, toasts } from "@/lib/client/toast";
import type { ShownToast } from "@/lib/client/toast-queue";
import { cn } from "@/lib/utils/cn";

/** The look of a toast's button. It is merged, because the style sheet's order would choose between two border colours. */
export const toastButton = cn(buttonVariants({ variant: "outline", size: "sm" }));

/** A toast without animation, for when the panel's code does not load. */
export function PlainToast({ shown: { key, input, isLeaving } }: { shown: ShownToast }) {
  const { title, description, variant = "default", action, reference } = input;
  const isError = variant === "destructive";
  const Icon = isError ? CircleAlert : CircleCheck;
  useEffect(() => toasts.begin(key), [key]);
  useEffect(() => (isLeaving ? toasts.gone(key) : undefined), [key, isLeaving]);
  return (
    <div
      role="alert"
      data-plain-toast=""
      className="fixed z-[999999999] max-md:inset-x-4 max-md:top-4 md:right-6 md:bottom-6 md:w-[min(420px,calc(100vw-32px))]"
    >
      <div className={cn("toast [--width:100%]", isError && "toast-destructive")}>
        <span data-icon="">
          <Icon aria-hidden="true" className="size-4" />
        </span>
        <div data-content="">
          <p data-title="" className="font-medium">
            {title}
          </p>
          {description || reference ? (
            <div data-description="" className="mt-0.5 text-muted-foreground">
              <ToastBody description={description} reference={reference} />
            </div>
          ) : null}
        </div>
        {action ? (
          <button
            type="button"
            data-button=""
            className={toastButton}
            onClick={() => {
              runAction(action);
              toasts.close(key);
            }}
          >
            {action.label}
          </button>
        ) : null}
        <button type="button" aria-label="Close" className="toast-close" onClick={() => toasts.close(key)}>
          <X aria-hidden="true" className="size-4" />
        </button>
      </div>
    </div>
  );
}

/** dir="auto", because the description may quote the user's site or text. */
export function ToastBody({ description, reference }: Pick<ShownToast["input"], "description" | "reference">) {
  return (
    <>
      <span dir="auto" className="block whitespace-pre-line">
        {description}
      </span>
      {reference ? <span className="mt-1 block text-xs">Reference: {reference}</span> : null}
    </>
  );
}
