import "server-only";
import { cookiePairs } from "@/lib/auth/cookies";
import { COOKIES, PREFIXES } from "@/lib/utils/cookie-names";

const OWN = new Set(Object.values(COOKIES).flatMap((name) => PREFIXES.map((prefix) => prefix + name)));

/** There are two, so that two planted sessions are still seen to be two, and refused. */
const MAX_VALUES = 2;

/**
 * A Cookie header with nothing but the cookies that we read, by exact name, and at most two values of each: Next takes
 * two seconds of quadratic work for the 3,000 that fit into 16 KB. Undefined when none is left.
 */
export function ownCookies(header: string): string | undefined {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of cookiePairs(header)) {
    if (!OWN.has(name)) continue;
    const kept = values.get(name) ?? new Set();
    if (kept.size < MAX_VALUES) values.set(name, kept.add(value));
  }
  const pairs = [...values].flatMap(([name, kept]) => [...kept].map((value) => `${name}=${value}`));
  return pairs.length > 0 ? pairs.join("; ") : undefined;
}
