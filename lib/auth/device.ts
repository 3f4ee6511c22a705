import "server-only";
import Bowser from "bowser";

/** Code points that are kept of what a browser calls itself: real ones are half as long. */
const KEPT = 300;

/** The header as it may be stored: without control characters and halves of characters; undefined when nothing is left. */
export function userAgentOf(header: string | null): string | undefined {
  const bare = (header ?? "").slice(0, 4 * KEPT).replace(/[\p{Cc}\p{Cs}]/gu, "");
  const kept = [...bare].slice(0, KEPT).join("").trim();
  return kept || undefined;
}

const UNKNOWN = "Unknown device";
const BROWSERS: ReadonlySet<unknown> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<unknown> = new Set(Object.values(Bowser.OS_MAP));
const MODELS: ReadonlySet<unknown> = new Set(["iPhone", "iPad"]);

/** "Chrome on Linux", "Safari on iPhone". Only names that are known: the rest of the text is anybody's. */
export function deviceName(userAgent: string | null | undefined): string {
  if (!userAgent) return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const name = BROWSERS.has(browser.name) ? browser.name : undefined;
  const system = MODELS.has(platform.model) ? platform.model : SYSTEMS.has(os.name) ? os.name : undefined;
  if (name && system && !name.includes(system)) return `${name} on ${system}`;
  return name ?? system ?? UNKNOWN;
}
