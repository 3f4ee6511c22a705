import "server-only";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { env } from "@/lib/env";
import { COOKIES, hostCookie } from "@/lib/utils/cookie-names";

/**
 * OWASP's device cookie (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies): a browser that
 * signed in before has its failures counted separately. It grants no access and names an account only by HMAC.
 */
const secure = env.APP_URL.startsWith("https:");

export const DEVICE_COOKIE = hostCookie(COOKIES.device, secure);

const YEAR_SECONDS = 365 * 86_400;
export const deviceCookieOptions = {
  httpOnly: true,
  secure,
  sameSite: "lax",
  path: "/",
  maxAge: YEAR_SECONDS,
} as const;

/** Accounts per browser; the one signed in to longest ago is dropped. */
const MAX_ACCOUNTS = 5;
/** Five accounts take 900 characters; anything longer is not ours. */
const MAX_LENGTH = 2_000;

/** `proof` is valid until the password changes; failures are counted under `nonce`, new at each sign-in. */
const entry = z.object({ account: z.string(), proof: z.string(), nonce: z.string() });
type Entry = z.infer<typeof entry>;
const claims = z.object({ known: z.array(entry).max(MAX_ACCOUNTS) });

/** `password` is the stored hash. */
export type AccountCredentials = { id: string; password: string | null };
/** There is one, unless an attacker planted more. */
type DeviceCookies = { devices?: string[] };

/** The key under which this browser's failures at the account are counted; undefined for an unknown browser. */
export async function knownDeviceNonce(
  { devices }: DeviceCookies,
  account: AccountCredentials,
): Promise<string | undefined> {
  const proof = proofOf(account);
  return (await entriesOf(devices)).find((one) => one.proof === proof)?.nonce;
}

/** Whether this browser signed in to the account before, with the current password or an earlier one. */
export async function hasSignedInBefore({ devices }: DeviceCookies, account: { id: string }): Promise<boolean> {
  const tag = tagOf(account);
  return (await entriesOf(devices)).some((one) => one.account === tag);
}

/** The account this browser signed in to last, by its HMAC. */
export async function lastKnownAccount({ devices }: DeviceCookies): Promise<string | undefined> {
  return (await entriesOf(devices))[0]?.account;
}

/** The keys under which this browser is counted where the account is not known yet: one for each it signed in to. */
export async function deviceNonces({ devices }: DeviceCookies): Promise<string[]> {
  return [...new Set((await entriesOf(devices)).map(({ nonce }) => nonce))];
}

/** The cookie's value after a sign-in: this account first, then the others. */
export async function rememberDevice({ devices }: DeviceCookies, account: AccountCredentials): Promise<string> {
  const own: Entry = { account: tagOf(account), proof: proofOf(account), nonce: randomBytes(16).toString("base64url") };
  const others = (await entriesOf(devices)).filter((one) => one.account !== own.account);
  return new SignJWT({ known: [own, ...others].slice(0, MAX_ACCOUNTS) })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime(`${YEAR_SECONDS}s`)
    .sign(key());
}

/** Reads two at most: a planted cookie must not hide the browser's own. */
async function entriesOf(devices: string[] = []): Promise<Entry[]> {
  return (await Promise.all(devices.slice(0, 2).map(openEntries))).flat();
}

async function openEntries(cookie: string): Promise<Entry[]> {
  if (cookie.length > MAX_LENGTH) return [];
  try {
    const { payload } = await jwtVerify(cookie, key(), { algorithms: ["HS256"], requiredClaims: ["exp"] });
    return claims.parse(payload).known;
  } catch {
    return [];
  }
}

function tagOf({ id }: { id: string }): string {
  return shortHmac(`account\0${id}`);
}

function proofOf({ id, password }: AccountCredentials): string {
  return shortHmac(`proof\0${id}\0${password ?? ""}`);
}

/** Half of an HMAC-SHA256. */
function shortHmac(text: string): string {
  return createHmac("sha256", key()).update(text).digest("base64url").slice(0, 22);
}

/** Derives the key from the server's secret, for this purpose only. */
function key(): Uint8Array {
  return createHash("sha256")
    .update(`device-cookie\0${env.AUTH_SECRET ?? "local"}`)
    .digest();
}
