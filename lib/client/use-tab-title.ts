"use client";

import { useEffect } from "react";
import { tabTitle } from "@/lib/utils/tab-title";

/** Renames the browser tab with what the page is about. Next.js sets the title only when the page loads. */
export function useTabTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = tabTitle(title);
  }, [title]);
}
