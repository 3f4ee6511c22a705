import "server-only";
import { createHash } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { env } from "@/lib/env";
import { COOKIES, hostCookie } from "@/lib/utils/cookie-names";

/** Why a signed-in user went to Google: to link it, or to reauthenticate. */
export type Intent = { purpose: "connect" | "again"; userId: string };

/** An intent is valid as long as next-auth keeps the state of a sign-in. */
const MINUTES = 15;
const secure = env.APP_URL.startsWith("https:");

export const INTENT_COOKIE = hostCookie(COOKIES.googleIntent, secure);
export const intentCookieOptions = {
  httpOnly: true,
  secure,
  sameSite: "lax",
  path: "/",
  maxAge: MINUTES * 60,
} as const;

/** Set-Cookie that removes the intent: it is valid for one visit. */
export const expiredIntentCookie = `${INTENT_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** Signs the intent, so that a stolen session cannot link the thief's Google account. */
export function sealIntent({ purpose, userId }: Intent): Promise<string> {
  return new SignJWT({ purpose })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setExpirationTime(`${MINUTES}m`)
    .sign(key());
}

const claims = z.object({ sub: z.uuid(), purpose: z.enum(["connect", "again"]) });

/** Returns undefined when the intent is missing, forged or expired. */
export async function openIntent(cookie = ""): Promise<Intent | undefined> {
  try {
    const { payload } = await jwtVerify(cookie, key(), { algorithms: ["HS256"], requiredClaims: ["exp", "sub"] });
    const { sub, purpose } = claims.parse(payload);
    return { purpose, userId: sub };
  } catch {
    return undefined;
  }
}

/** Derives the key from the server's secret, for this purpose only. */
function key(): Uint8Array {
  return createHash("sha256")
    .update(`google-intent\0${env.AUTH_SECRET ?? "local"}`)
    .digest();
}
