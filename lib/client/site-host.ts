"use client";

import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";

/** The host of the user's site, for sentences. */
export function useSiteHost(): string {
  const address = useQueryData<{ wordpressUrl?: string | null } | null>(keys.user())?.wordpressUrl;
  return hostOf(address) ?? "your WordPress site";
}

export function hostOf(address: string | null | undefined): string | null {
  return address && URL.canParse(address) ? new URL(address).host : null;
}
