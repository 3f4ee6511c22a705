import "server-only";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { env } from "@/lib/env";

/**
 * OWASP's device cookie (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies): a browser that
 * signed in to an account before is known to it, and its failures are counted by themselves. It opens nothing, and names
 * an account by an HMAC alone.
 */
const secure = env.APP_URL.startsWith("https:");

export const DEVICE_COOKIE = secure ? "__Host-device" : "device";

const YEAR_SECONDS = 365 * 86_400;
export const deviceCookieOptions = {
  httpOnly: true,
  secure,
  sameSite: "lax",
  path: "/",
  maxAge: YEAR_SECONDS,
} as const;

/** Accounts that one browser is known to; the one signed in to longest ago gives way. */
const MAX_ACCOUNTS = 5;
/** Five accounts are 900 characters: what is longer is not ours. */
const MAX_LENGTH = 2_000;

/** `proof` holds as long as the password stays; failures are counted by `nonce`, which is new at each sign-in. */
const entry = z.object({ account: z.string(), proof: z.string(), nonce: z.string() });
type Entry = z.infer<typeof entry>;
const claims = z.object({ known: z.array(entry).max(MAX_ACCOUNTS) });

/** The account as the database has it: `password` is the stored hash. */
export type KnownAccount = { id: string; password: string | null };
/** The device cookies that a request brought; one, unless somebody planted more. */
type Brought = { devices?: string[] };

/** What the browser's failures at this account are counted by; undefined when it is not known to it. */
export async function knownTo({ devices }: Brought, account: KnownAccount): Promise<string | undefined> {
  const proof = proofOf(account);
  return (await entriesOf(devices)).find((one) => one.proof === proof)?.nonce;
}

/** Has this browser signed in to the account before, with the password of today or an earlier one? */
export async function hasSignedInBefore({ devices }: Brought, account: { id: string }): Promise<boolean> {
  const tag = tagOf(account);
  return (await entriesOf(devices)).some((one) => one.account === tag);
}

/** The account the browser signed in to last, as the cookie names it; undefined when it is known to none. */
export async function knownAccount({ devices }: Brought): Promise<string | undefined> {
  return (await entriesOf(devices))[0]?.account;
}

/** The cookie's value after a sign-in: this account first, then the others that the browser was known to. */
export async function rememberDevice({ devices }: Brought, account: KnownAccount): Promise<string> {
  const own: Entry = { account: tagOf(account), proof: proofOf(account), nonce: randomBytes(16).toString("base64url") };
  const others = (await entriesOf(devices)).filter((one) => one.account !== own.account);
  return new SignJWT({ known: [own, ...others].slice(0, MAX_ACCOUNTS) })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime(`${YEAR_SECONDS}s`)
    .sign(key());
}

/** Of several cookies two are looked at: a planted one must not hide the browser's own. */
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
  return createHmac("sha256", key()).update(`account\0${id}`).digest("base64url").slice(0, 22);
}

function proofOf({ id, password }: KnownAccount): string {
  return createHmac("sha256", key())
    .update(`proof\0${id}\0${password ?? ""}`)
    .digest("base64url")
    .slice(0, 22);
}

/** A key for this alone, made of the server's secret. */
function key(): Uint8Array {
  return createHash("sha256")
    .update(`device-cookie\0${env.AUTH_SECRET ?? "local"}`)
    .digest();
}
