import "server-only";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import commonPasswords from "@/lib/auth/common-passwords.json";

/** argon2id, 64 MiB, 3 passes, 1 lane (OWASP's minimum is 19 MiB and 2 passes). */
const OPTIONS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;
/** 256 MiB in all: a flood of sign-ins queues instead of filling the memory. */
const MAX_AT_ONCE = 4;

const limit = pLimit(MAX_AT_ONCE);
const common = new Set(commonPasswords);
let dummyHash: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return limit(() => hash(password, OPTIONS));
}

/**
 * Without a stored hash a dummy is verified, so that both take equally long. `counted` wraps the comparison once it
 * leaves the queue, and may reject it.
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  counted = (compare: () => Promise<boolean>) => compare(),
): Promise<boolean> {
  dummyHash ??= hashPassword("no account has this one");
  const against = stored ?? (await dummyHash);
  return limit(() => counted(async () => (await verify(against, password)) && typeof stored === "string"));
}

/** Is it one of the 10,000 most common (NIST SP 800-63B-4 asks to reject them)? */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}
