"use client";

import { createElement, Fragment } from "react";
import { toast as show } from "sonner";
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

/** One constant id: a new toast takes the place of the one before, so only one is ever there. */
const ID = "toast";
const DURATION_MS = 6_000;

/** Shows a notification. */
export function toast(input: ToastInput): void {
  const { title, description, variant = "default", action, durationMs = DURATION_MS, reference } = input;
  const present = variant === "destructive" ? show.error : show.success;
  present(title, {
    id: ID,
    description: reference ? createElement(Fragment, null, description, referenceLine(reference)) : description,
    duration: durationMs,
    className: variant === "destructive" ? "toast-destructive" : undefined,
    action: action ? { label: action.label, onClick: () => follow(action) } : undefined,
  });
}

function referenceLine(reference: string) {
  return createElement("span", { className: "mt-1 block text-xs" }, `Reference: ${reference}`);
}

function follow(action: ToastAction): void {
  if ("onClick" in action) action.onClick();
  else if (action.newWindow) window.open(action.href, "_blank", "noopener");
  else window.location.assign(action.href);
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
