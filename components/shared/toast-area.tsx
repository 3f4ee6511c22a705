"use client";

import Link from "next/link";
import { useEffect } from "react";
import { toast as sonner } from "sonner";
import type { ToastArea } from "@/lib/client/toast";
import type { ToastAction, ToastInput } from "@/lib/client/toast-input";

/** How long a toast stays by default. */
export const TOAST_MS = 6_000;

/** An error that was on the screen this long has been read. */
const READ_MS = 5_000;

/** There is one toast; a newer one takes its place. */
const ID = "toast";

let shown: ToastInput | null = null;
let seenSince = Number.POSITIVE_INFINITY;
/** Errors that were replaced before they could be read; the last one comes back first. */
let kept: ToastInput[] = [];
/** Nobody reads more one after another. */
const MAX_KEPT = 20;
/** Sonner would lose what comes while its toast leaves, so that waits until the toast is gone. */
let isLeaving = false;
let drawn = 0;

/** The newest toast is shown at once. An error that it replaces too soon comes back when it closes. */
export const toastArea: ToastArea = {
  show(input) {
    if (shown?.variant === "destructive" && Date.now() - seenSince < READ_MS) kept = [...kept, shown].slice(-MAX_KEPT);
    forget(input.subject);
    shown = input;
    seenSince = Number.POSITIVE_INFINITY;
    if (!isLeaving) draw(input);
  },
  withdraw(subject) {
    forget(subject);
    if (shown?.subject === subject) dismiss();
  },
  clear() {
    kept = [];
    dismiss();
  },
};

function forget(subject: string | undefined): void {
  if (subject !== undefined) kept = kept.filter((error) => error.subject !== subject);
}

const SHOW = { default: sonner.success, neutral: sonner.info, destructive: sonner.error };

/** Every key is given, because sonner keeps those of the toast before. */
function draw(input: ToastInput): void {
  const { title, variant = "default", action, durationMs = TOAST_MS } = input;
  const close = () => closed(input);
  startSeeing();
  drawn += 1;
  SHOW[variant](title, {
    id: ID,
    description: <ToastBody input={input} />,
    className: variant === "destructive" ? "toast-destructive" : "",
    // Sonner restarts its timer only when the duration changes; half a millisecond changes nothing else.
    duration: durationMs + (drawn % 2) / 2,
    onDismiss: close,
    onAutoClose: close,
    action: action && {
      label: action.label,
      onClick() {
        // First, because the action may show a toast of its own.
        close();
        runAction(action);
      },
    },
  });
}

function startSeeing(): void {
  seenSince = document.hidden ? Number.POSITIVE_INFINITY : Date.now();
}

document.addEventListener("visibilitychange", startSeeing);

/** Called when a toast begins to leave; a newer one may be on its way already. */
function closed(input: ToastInput): void {
  isLeaving = true;
  if (input !== shown) return;
  kept = kept.filter((error) => !isSameMessage(error, input));
  shown = null;
}

function isSameMessage(one: ToastInput, other: ToastInput): boolean {
  return one.title === other.title && one.description === other.description && one.variant === other.variant;
}

function dismiss(): void {
  shown = null;
  if (!isLeaving) sonner.dismiss();
  isLeaving = document.querySelector("[data-sonner-toast]") !== null;
}

function runAction(action: ToastAction): void {
  if ("onClick" in action) action.onClick();
  else if (action.newWindow) window.open(action.href, "_blank", "noopener");
  else document.querySelector<HTMLAnchorElement>(`[${LINK}]`)?.click();
}

const LINK = "data-toast-link";

/**
 * dir="auto", because the description may quote the user's site or text. The toast's button follows the hidden link, so
 * that it navigates within the app and the leave guard asks about unsaved text.
 */
function ToastBody({ input: { description, reference, action } }: { input: ToastInput }) {
  useEffect(() => gone, []);
  return (
    <>
      <span dir="auto" className="block whitespace-pre-line">
        {description}
      </span>
      {reference ? <span className="mt-1 block text-xs">Reference: {reference}</span> : null}
      {action && "href" in action && !action.newWindow ? (
        <Link {...{ [LINK]: "" }} href={action.href} prefetch={false} hidden>
          {action.label}
        </Link>
      ) : null}
    </>
  );
}

/** Sonner finishes the dismissal two frames later, and would dismiss with it what was shown before that. */
function gone(): void {
  requestAnimationFrame(() => requestAnimationFrame(showNext));
}

function showNext(): void {
  isLeaving = false;
  shown ??= kept.at(-1) ?? null;
  kept = kept.filter((error) => error !== shown);
  if (shown) draw(shown);
}
