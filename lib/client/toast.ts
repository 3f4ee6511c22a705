"use client";

import { ApiError, detailOf, errorText, fieldErrorsOf, isAborted, isSessionEnd, referenceOf } from "@/lib/client/api";
import type { ToastAction, ToastInput } from "@/lib/client/toast-input";
import { createToastQueue } from "@/lib/client/toast-queue";
import type { ErrorType } from "@/lib/errors";

/** Only the toaster uses it; everything else calls `toast`. */
export const toasts = createToastQueue();

/** The subject of every way to sign in or register: a new attempt replaces the failure of the last. */
export const SIGN_IN = "sign-in";

export function toast(input: ToastInput): void {
  toasts.add(input);
}

/** Marks the toaster's hidden link to an action's address: clicking it lets the leave guard ask about unsaved text. */
export const TOAST_LINK = "data-toast-link";

/** Runs a toast's button. */
export function runAction(action: ToastAction): void {
  if ("onClick" in action) action.onClick();
  else if (action.newWindow) window.open(action.href, "_blank", "noopener");
  else document.querySelector<HTMLAnchorElement>(`[${TOAST_LINK}]`)?.click();
}

/** Says that a lazily loaded part of the page did not load. */
export function toastNotLoaded(): void {
  const description = "This part of the page could not be loaded. Check your connection, then try again.";
  toast({ title: "Error", description, variant: "destructive" });
}

const SETTINGS: ToastAction = { label: "Go to Settings", href: "/settings" };

/** Titles and buttons of the errors that have their own. */
const BY_TYPE: Partial<Record<ErrorType, Pick<ToastInput, "title" | "action" | "variant">>> = {
  // Everything is done already, so this is no failure.
  NOTHING_TO_DO: { title: "Nothing to do", variant: "default" },
  MISSING_API_KEY: { title: "API Key Required", action: SETTINGS },
  MISSING_CREDENTIALS: { title: "Credentials Required", action: SETTINGS },
  CONNECTION_ERROR: { title: "Connection Error", action: SETTINGS },
  SITE_UNCERTAIN: { title: "Which site is this?", action: SETTINGS },
};

/**
 * The destructive toast of a failed call. `noCredentials` replaces the server's sentence when the site's credentials are
 * missing; `note` follows the sentence. Says nothing of aborted calls and of the end of the session, which the page shows.
 */
export function toastError(
  error: unknown,
  {
    fallback,
    title = "Error",
    noCredentials,
    note,
    subject,
  }: { fallback: string; title?: string; noCredentials?: string; note?: string | undefined; subject?: string },
): void {
  if (isAborted(error) || isSessionEnd(error)) return;
  const type = error instanceof ApiError ? error.type : undefined;
  const sentence = [errorText(error, fallback), detailOf(error), note].filter(Boolean).join(" ");
  toast({
    title,
    variant: "destructive",
    ...(type ? BY_TYPE[type] : {}),
    description: type === "MISSING_CREDENTIALS" ? (noCredentials ?? sentence) : sentence,
    reference: referenceOf(error),
    subject,
  });
}

/** Toasts a form's error, unless it is about fields: forms show those themselves. */
export function toastUnlessFieldError(error: unknown, options: Parameters<typeof toastError>[1]): void {
  if (Object.keys(fieldErrorsOf(error)).length === 0) toastError(error, options);
}
