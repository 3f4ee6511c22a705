"use client";

import { ApiError, errorText, referenceOf } from "@/lib/client/api";

export type ToastAction = { label: string } & ({ onClick: () => void } | { href: string; newWindow?: boolean });

export type ToastInput = {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  action?: ToastAction;
  durationMs?: number;
  /** Under the description: what to name when asking for help. */
  reference?: string | undefined;
};

/** How long a notification stays when nothing else is said. */
export const TOAST_MS = 6_000;

let next: ToastInput | null = null;
const listeners = new Set<() => void>();

/** Shows a notification. */
export function toast(input: ToastInput): void {
  change(input);
}

/** What the notification area is to show next. */
export const nextToast = {
  read: () => next,
  taken: () => change(null),
  subscribe(react: () => void) {
    listeners.add(react);
    return () => listeners.delete(react);
  },
};

function change(input: ToastInput | null): void {
  next = input;
  for (const listener of listeners) listener();
}

/** A part of the page that comes when it is first used did not come. */
export function tellNotLoaded(): void {
  const description = "This part of the page could not be loaded. Check your connection, then try again.";
  toast({ title: "Error", description, variant: "destructive" });
}

const SETTINGS: ToastAction = { label: "Go to Settings", href: "/settings" };

/**
 * The destructive toast of a failed call, with the titles and the way out that the kind of failure has. `noCredentials`
 * stands for the server's sentence when the site's credentials are missing.
 */
export function toastError(
  error: unknown,
  { fallback, title = "Error", noCredentials }: { fallback: string; title?: string; noCredentials?: string },
): void {
  const description = errorText(error, fallback);
  const type = error instanceof ApiError ? error.type : undefined;
  if (type === "MISSING_API_KEY") {
    toast({ title: "API Key Required", description, variant: "destructive", action: SETTINGS });
  } else if (type === "MISSING_CREDENTIALS") {
    toast({
      title: "Credentials Required",
      description: noCredentials ?? description,
      variant: "destructive",
      action: SETTINGS,
    });
  } else if (type === "CONNECTION_ERROR") {
    toast({
      title: "Connection Error",
      description,
      variant: "destructive",
      action: SETTINGS,
      reference: referenceOf(error),
    });
  } else {
    toast({ title, description, variant: "destructive", reference: referenceOf(error) });
  }
}
