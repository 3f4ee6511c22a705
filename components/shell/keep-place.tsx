"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { currentUserId } from "@/lib/client/current-user";
import { followPlace } from "@/lib/client/page-place";
import { noteClick, screenKey } from "@/lib/client/screen-memory";

/** Keeps how far down each page was left. */
export function KeepPlace() {
  const path = usePathname();
  const userId = currentUserId(useQueryClient());
  useEffect(() => followPlace(screenKey(path, userId, "place"), path), [path, userId]);
  useEffect(() => {
    document.addEventListener("click", noteClick, true);
    return () => document.removeEventListener("click", noteClick, true);
  }, []);
  return null;
}
