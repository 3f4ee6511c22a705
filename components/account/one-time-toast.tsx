"use client";

import { useEffect } from "react";
import { toast } from "@/lib/client/toast";
import type { ToastInput } from "@/lib/client/toast-input";

/** A toast about a result in the page's address, which becomes `path`: a reload or the back button does not repeat it. */
export function OneTimeToast({ title, description, variant, path }: ToastInput & { path: string }) {
  useEffect(() => {
    toast({ title, ...(description ? { description } : {}), ...(variant ? { variant } : {}) });
    window.history.replaceState(null, "", path);
  }, [title, description, variant, path]);
  return null;
}
