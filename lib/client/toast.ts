"use client";

import { ApiError, detailOf, errorText, isAborted, isSessionEnd, referenceOf } from "@/lib/client/api";
import type { ToastAction, ToastInput } from "@/lib/client/toast-input";
import { createToastQueue } from "@/lib/client/toast-queue";
import type { ErrorType } from "@/lib/errors";

/** The notification area's own: who tells something calls `toast`. */
export const toasts = createToastQueue();

/** The subject of every way to sign in or register: a failed try does not follow the next one. */
export const SIGN_IN = "sign-in";

/** Shows a notification: now, or after those that came before. */
export function toast(input: ToastInput): void {
  toasts.add(input);
}

/** Marks the link that the area keeps for an action with an address, so that following it loses nothing that is typed. */
export const TOAST_LINK = "data-toast-link";

/** Does what the notification's button says. */
export function follow(action: ToastAction): void {
  if ("onClick" in action) action.onClick();
  else if (action.newWindow) window.open(action.href, "_blank", "noopener");
  else document.querySelector<HTMLAnchorElement>(`[${TOAST_LINK}]`)?.click();
}

/** A part of the page that comes when it is first used did not come. */
export function tellNotLoaded(): void {
  const description = "This part of the page could not be loaded. Check your connection, then try again.";
  toast({ title: "Error", description, variant: "destructive" });
}

const SETTINGS: ToastAction = { label: "Go to Settings", href: "/settings" };

/** Titles and the way out of failures that have their own. */
const KINDS: Partial<Record<ErrorType, Pick<ToastInput, "title" | "action">>> = {
  MISSING_API_KEY: { title: "API Key Required", action: SETTINGS },
  MISSING_CREDENTIALS: { title: "Credentials Required", action: SETTINGS },
  CONNECTION_ERROR: { title: "Connection Error", action: SETTINGS },
};

/**
 * The destructive toast of a failed call, with the titles and the way out that the kind of failure has. `noCredentials`
 * stands for the server's sentence when the site's credentials are missing; `note` stands after the sentence. A call that
 * was given up says nothing, nor one that found the session ended: the page does.
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
    ...(type ? KINDS[type] : {}),
    description: type === "MISSING_CREDENTIALS" ? (noCredentials ?? sentence) : sentence,
    variant: "destructive",
    reference: referenceOf(error),
    subject,
  });
}
