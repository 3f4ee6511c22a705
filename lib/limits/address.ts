import "server-only";
import { env } from "@/lib/env";

/** All clients share this address while no trusted proxy tells them apart. */
export const SHARED_ADDRESS = "shared";

/**
 * The client's address: Vercel's own header on Vercel; otherwise the entry TRUSTED_PROXY_HOPS from the right of
 * X-Forwarded-For, since everything left of it can be written by anybody. 0 hops: the header is ignored.
 */
export function clientAddress(headers: Headers, hops = env.TRUSTED_PROXY_HOPS, vercel = env.VERCEL === "1"): string {
  if (vercel) return headers.get("x-vercel-forwarded-for")?.split(",")[0]?.trim() || SHARED_ADDRESS;
  if (hops === 0) return SHARED_ADDRESS;
  const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return entries.at(-hops) || SHARED_ADDRESS;
}
