"use client";

import { useEffect } from "react";
import { toast } from "@/lib/client/toast";
import type { ToastInput } from "@/lib/client/toast-input";

/**
 * A notification about what the page's address tells of. The address becomes `path`, so that neither a reload nor the way
 * back tells it again.
 */
export function ToldOnce({ title, description, variant, path }: ToastInput & { path: string }) {
  useEffect(() => {
    toast({ title, ...(description ? { description } : {}), ...(variant ? { variant } : {}) });
    window.history.replaceState(null, "", path);
  }, [title, description, variant, path]);
  return null;
}
