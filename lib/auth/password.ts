import "server-only";
import { hash, verify } from "@node-rs/argon2";
import commonPasswords from "@/lib/auth/common-passwords.json";
import { createLimiter } from "@/lib/utils/limiter";

/** argon2id, 64 MiB, 3 passes, 1 lane (OWASP Password Storage Cheat Sheet asks for at least 19 MiB and 2). */
const OPTIONS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;
/** Four at once are 256 MiB: a flood of sign-ins waits instead of eating the memory. */
const MAX_AT_ONCE = 4;

const limited = createLimiter(MAX_AT_ONCE);
const common = new Set(commonPasswords);
let dummy: Promise<string> | undefined;

/** PHC string of an argon2id hash. */
export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password, OPTIONS));
}

/**
 * Compares; without a stored hash a dummy is verified all the same, so that both answers take as long. `counted` runs the
 * comparison when its turn has come, and may refuse it: what waits for its turn is not under way.
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  counted = (compare: () => Promise<boolean>) => compare(),
): Promise<boolean> {
  dummy ??= hashPassword("no account has this one");
  const against = stored ?? (await dummy);
  return limited(() => counted(async () => (await verify(against, password)) && typeof stored === "string"));
}

/** One of the 10,000 most common passwords (NIST SP 800-63B-4 asks to refuse them). */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}
