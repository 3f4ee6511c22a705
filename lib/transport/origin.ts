import "server-only";
import { env, isLoopback } from "@/lib/env";
import { AppError } from "@/lib/errors";

/**
 * Refuses a cross-site write, as Go's http.CrossOriginProtection does it: Sec-Fetch-Site when present decides; else
 * Origin when present must be ours; neither means the caller is not a browser, which has no cookies to abuse.
 */
export function refuseCrossSite(headers: Headers, appUrl = env.APP_URL): void {
  const site = headers.get("sec-fetch-site");
  if (site !== null) {
    if (site === "same-origin" || site === "none") return;
    throw new AppError("FORBIDDEN_ORIGIN");
  }
  const origin = headers.get("origin");
  if (origin !== null && !isOurs(origin, appUrl)) throw new AppError("FORBIDDEN_ORIGIN");
}

/** On one's own machine the app answers under any loopback name of its port. */
function isOurs(origin: string, appUrl: string): boolean {
  if (origin === appUrl) return true;
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  const ours = new URL(appUrl);
  return isLoopback(ours) && isLoopback(theirs) && theirs.port === ours.port && theirs.protocol === ours.protocol;
}
