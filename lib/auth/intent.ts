import "server-only";
import { createHash } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { env } from "@/lib/env";

/** What a signed-in person went to Google for: to connect it, or to prove again who they are. */
export type Intent = { purpose: "connect" | "again"; userId: string };

/** As long as next-auth keeps the state of a sign-in under way. */
const MINUTES = 15;
const secure = env.APP_URL.startsWith("https:");

export const INTENT_COOKIE = secure ? "__Host-google-intent" : "google-intent";
export const intentCookieOptions = {
  httpOnly: true,
  secure,
  sameSite: "lax",
  path: "/",
  maxAge: MINUTES * 60,
} as const;

/** Set-Cookie that takes the intent away: it is good for one visit. */
export const endedIntentCookie = `${INTENT_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** The intent as a signed cookie: whoever holds a stolen session must not connect a Google account of theirs unproved. */
export function sealIntent({ purpose, userId }: Intent): Promise<string> {
  return new SignJWT({ purpose })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setExpirationTime(`${MINUTES}m`)
    .sign(key());
}

const claims = z.object({ sub: z.uuid(), purpose: z.enum(["connect", "again"]) });

/** The intent of a cookie; undefined without one, or when it is forged or has run out. */
export async function openIntent(cookie: string | undefined): Promise<Intent | undefined> {
  if (!cookie) return undefined;
  try {
    const { payload } = await jwtVerify(cookie, key(), { algorithms: ["HS256"], requiredClaims: ["exp", "sub"] });
    const { sub, purpose } = claims.parse(payload);
    return { purpose, userId: sub };
  } catch {
    return undefined;
  }
}

/** A key for this alone, made of the server's secret. */
function key(): Uint8Array {
  return createHash("sha256")
    .update(`google-intent\0${env.AUTH_SECRET ?? "local"}`)
    .digest();
}
