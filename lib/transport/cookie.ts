import "server-only";
import { SESSION_COOKIE, sessionCookieOptions } from "@/lib/auth/sessions";

/** Set-Cookie of a session; the token is base64url and needs no escaping. */
export function sessionCookie(token: string, expires: Date): string {
  return `${SESSION_COOKIE}=${token}; Path=/; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax${secureFlag}`;
}

/** Set-Cookie that takes the session's cookie away. */
export function endedCookie(): string {
  return `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secureFlag}`;
}

const secureFlag = sessionCookieOptions.secure ? "; Secure" : "";
