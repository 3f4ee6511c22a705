import "server-only";
import { DEVICE_COOKIE, deviceCookieOptions } from "@/lib/auth/device-cookie";
import { SESSION_COOKIE, sessionCookieOptions } from "@/lib/auth/sessions";

/** The token is base64url and needs no escaping. */
export function sessionCookie(token: string, expires: Date): string {
  return `${SESSION_COOKIE}=${token}; Path=/; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax${secureFlag}`;
}

export function expiredSessionCookie(): string {
  return `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secureFlag}`;
}

/** The value is a signed token and needs no escaping. */
export function deviceCookie(value: string): string {
  return `${DEVICE_COOKIE}=${value}; Path=/; Max-Age=${deviceCookieOptions.maxAge}; HttpOnly; SameSite=Lax${secureFlag}`;
}

const secureFlag = sessionCookieOptions.secure ? "; Secure" : "";
