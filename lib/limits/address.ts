import "server-only";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/env";

/** The address of all clients when no trusted proxy identifies them. */
export const SHARED_ADDRESS = "shared";

/**
 * Vercel's own header on Vercel; otherwise the entry TRUSTED_PROXY_HOPS from the right of X-Forwarded-For, since
 * clients can forge everything left of it. With 0 hops the header is ignored.
 */
export function clientAddress(
  headers: Pick<Headers, "get">,
  hops = env.TRUSTED_PROXY_HOPS,
  vercel = env.VERCEL === "1",
): string {
  if (vercel) return canonicalAddress(headers.get("x-vercel-forwarded-for")?.split(",")[0]);
  if (hops === 0) return SHARED_ADDRESS;
  return canonicalAddress(headers.get("x-forwarded-for")?.split(",").at(-hops));
}

/**
 * One spelling per client: without port, brackets and zone; `::ffff:1.2.3.4` becomes 1.2.3.4. IPv6 is cut to its /64,
 * the smallest network handed to a household or server: its owner could change the rest with each request.
 */
function canonicalAddress(entry = ""): string {
  const bare = entry.trim().replace(/^\[([^\]]+)\](:\d+)?$/, "$1");
  const address = bare.replace(/^([\d.]+):\d+$/, "$1").replace(/%.*$/, "");
  if (isIP(address) === 0) return SHARED_ADDRESS;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}
