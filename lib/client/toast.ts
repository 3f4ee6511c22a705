"use client";

import { ApiError, detailOf, errorText, fieldErrorsOf, isAborted, isSessionEnd, referenceOf } from "@/lib/client/api";
import type { ToastAction, ToastInput } from "@/lib/client/toast-input";
import type { ErrorType } from "@/lib/errors";
import { clockOf } from "@/lib/utils/dates";

/** The subject of every way to sign in or register: a new attempt replaces the failure of the last. */
export const SIGN_IN = "sign-in";

/** What shows the toasts: components/shared/toast-area.tsx, whose code is loaded late. */
export type ToastArea = {
  show: (input: ToastInput) => void;
  withdraw: (subject: string) => void;
  clear: () => void;
};

let area: ToastArea | null = null;
/** Those that came before the area. */
let early: ToastInput[] = [];
const MAX_EARLY = 20;
let loadArea: (newest: ToastInput) => void = () => undefined;

export function toast(input: ToastInput): void {
  if (area) {
    area.show(input);
  } else {
    early = [...early, input].slice(-MAX_EARLY);
    loadArea(input);
  }
}

export const toasts = {
  /** Removes what was said about this subject: it is no longer true. */
  withdraw(subject: string) {
    early = early.filter((input) => input.subject !== subject);
    area?.withdraw(subject);
  },
  /** Removes everything that was said. */
  clear() {
    early = [];
    area?.clear();
  },
  /** Only the toaster calls this and `open`. */
  loadWith(load: (newest: ToastInput) => void) {
    loadArea = load;
    const newest = early.at(-1);
    if (newest) load(newest);
  },
  open(opened: ToastArea) {
    area = opened;
    const waiting = early;
    early = [];
    for (const input of waiting) opened.show(input);
  },
};

/** A paid call's answer; `alreadyDoneAt` where an earlier call with its key did the work. */
export type Replayable = { alreadyDoneAt?: string };

/** What a toast says of an answer: success only of what was done now. */
export function outcome(
  { alreadyDoneAt }: Replayable,
  done: Pick<ToastInput, "title" | "description">,
): Pick<ToastInput, "title" | "description" | "variant"> {
  if (alreadyDoneAt === undefined) return done;
  const at = clockOf().recent(new Date(alreadyDoneAt), new Date());
  return { title: "Already done", description: `This was already done at ${at}.`, variant: "neutral" };
}

/** Says that a lazily loaded part of the page did not load. */
export function toastNotLoaded(): void {
  const description = "This part of the page could not be loaded. Check your connection, then try again.";
  toast({ title: "Error", description, variant: "destructive" });
}

const SETTINGS: ToastAction = { label: "Go to Settings", href: "/settings" };

const NO_CREDENTIALS = { title: "Credentials Required", action: SETTINGS };

/** Titles and buttons of the errors that have their own. */
const BY_TYPE: Partial<Record<ErrorType, Pick<ToastInput, "title" | "action" | "variant">>> = {
  // Everything is done already, so this is no failure.
  NOTHING_TO_DO: { title: "Nothing to do", variant: "neutral" },
  MISSING_API_KEY: { title: "API Key Required", action: SETTINGS },
  MISSING_CREDENTIALS: NO_CREDENTIALS,
  CONNECTION_ERROR: { title: "Connection Error", action: SETTINGS },
  SITE_UNCERTAIN: { title: "Which site is this?", action: SETTINGS },
};

/**
 * The destructive toast of a failed call. A call to the user's site has a sentence for missing credentials,
 * `noCredentials`; `note` names the site after every other sentence. Says nothing of aborted calls and of the end of the
 * session, which the page shows.
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
  const about = lacksCredentials(error) ? undefined : note;
  const sentence = [errorText(error, fallback), detailOf(error), about].filter(Boolean).join(" ");
  toast({
    title,
    variant: "destructive",
    description: sentence,
    ...(type ? BY_TYPE[type] : {}),
    ...(noCredentials && lacksCredentials(error) ? { ...NO_CREDENTIALS, description: noCredentials } : {}),
    reference: referenceOf(error),
    subject,
  });
}

/** Of a call to the user's site. A server other than ours may say it in a plain text. */
function lacksCredentials(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const isTyped = error.type === "MISSING_CREDENTIALS" || error.type === "MISSING_API_KEY";
  return isTyped || error.text.includes("WordPress credentials not found");
}

/** Toasts a form's error, unless it is about fields: forms show those themselves. */
export function toastUnlessFieldError(error: unknown, options: Parameters<typeof toastError>[1]): void {
  if (Object.keys(fieldErrorsOf(error)).length === 0) toastError(error, options);
}
