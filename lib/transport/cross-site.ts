import "server-only";
import { env, isLoopback } from "@/lib/env";
import { AppError } from "@/lib/errors";

/**
 * Rejects cross-site writes like Go's http.CrossOriginProtection: Sec-Fetch-Site decides when present, else Origin must
 * be ours. A caller with neither is no browser and has no cookies to abuse.
 */
export function rejectCrossSite(headers: Headers, appUrl = env.APP_URL): void {
  const site = headers.get("sec-fetch-site");
  if (site !== null) {
    if (site === "same-origin" || site === "none") return;
    throw new AppError("FORBIDDEN_ORIGIN");
  }
  const origin = headers.get("origin");
  if (origin !== null && !isOurs(origin, appUrl)) throw new AppError("FORBIDDEN_ORIGIN");
}

/** Locally the app answers under any loopback name of its port. */
function isOurs(origin: string, appUrl: string): boolean {
  if (origin === appUrl) return true;
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  const ours = new URL(appUrl);
  return isLoopback(ours) && isLoopback(theirs) && theirs.port === ours.port && theirs.protocol === ours.protocol;
}
