import "server-only";
import Bowser from "bowser";

/** The limit in code points: twice the length of real user agents. */
const MAX_LENGTH = 300;

/** Returns the header without control characters and lone surrogates, which Postgres does not store. */
export function userAgentOf(header: string | null): string | undefined {
  const bare = (header ?? "").slice(0, 4 * MAX_LENGTH).replace(/[\p{Cc}\p{Cs}]/gu, "");
  const short = [...bare].slice(0, MAX_LENGTH).join("").trim();
  return short || undefined;
}

const UNKNOWN = "Unknown device";
const BROWSERS: ReadonlySet<unknown> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<unknown> = new Set(Object.values(Bowser.OS_MAP));
const MODELS: ReadonlySet<unknown> = new Set(["iPhone", "iPad"]);

/** A name such as "Chrome on Linux" or "Safari on iPhone". It has known names only: a client may send anything. */
export function deviceName(userAgent: string | null | undefined): string {
  if (!userAgent) return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const name = BROWSERS.has(browser.name) ? browser.name : undefined;
  const system = MODELS.has(platform.model) ? platform.model : SYSTEMS.has(os.name) ? os.name : undefined;
  if (name && system && !name.includes(system)) return `${name} on ${system}`;
  return name ?? system ?? UNKNOWN;
}
