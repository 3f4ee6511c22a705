import "server-only";
import { createHash } from "node:crypto";
import { cookieValues } from "@/lib/auth/cookies";
import { env } from "@/lib/env";
import { clientAddress, SHARED_ADDRESS } from "@/lib/limits/address";
import { KNOWN_SESSIONS, STRANGERS_FACTOR } from "@/lib/limits/bounds";
import type { Caller } from "@/lib/limits/gate";
import { boundedCache } from "@/lib/utils/bounded";
import { COOKIES, hostCookie } from "@/lib/utils/cookie-names";

const SESSION_COOKIE = hostCookie(COOKIES.session, env.APP_URL.startsWith("https:"));

/**
 * Whose turn a request takes, without asking the database: the user's, if this process has read the session before;
 * otherwise the address's. A cookie that nobody has checked counts for nothing, or each forged one would be a caller.
 */
export function callerOf(headers: Pick<Headers, "get">): Caller {
  const [token] = cookieValues(headers.get("cookie"), SESSION_COOKIE);
  const userId = token && sessions().get(hashOf(token));
  if (userId) return { key: `user ${userId}`, width: 1 };
  const address = clientAddress(headers);
  return { key: `address ${address}`, width: address === SHARED_ADDRESS ? STRANGERS_FACTOR : 1 };
}

/** Notes what the database said of a session; undefined: it is none. */
export function noteSession(token: string, userId: string | undefined): void {
  if (userId) sessions().set(hashOf(token), userId);
  else sessions().delete(hashOf(token));
}

/** The sessions are on globalThis: the bundler may give each route a copy of this module. */
const kept = globalThis as { knownSessions?: Map<string, string> };

function sessions(): Map<string, string> {
  kept.knownSessions ??= boundedCache(
    "sessions",
    KNOWN_SESSIONS,
    "One that is forgotten is its address's until it is read.",
  );
  return kept.knownSessions;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
