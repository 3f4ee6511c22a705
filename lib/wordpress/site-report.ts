import "server-only";
import { isAppError } from "@/lib/errors";
import { UnreachableError } from "@/lib/net/unreachable";
import type { ConnectionCheck } from "@/lib/wordpress/connection-check";
import { USER_AGENT } from "@/lib/wordpress/discover";
import { createExchange } from "@/lib/wordpress/exchange";
import type { WordPressLogin } from "@/lib/wordpress/request";
import type { SiteIndex } from "@/lib/wordpress/schema";
import { homeOf } from "@/lib/wordpress/site-address";

/** What a user wants to know of a connected site. What the site does not say is null, or missing in the list. */
export type SiteReport = {
  name: string;
  url: string;
  version: string | null;
  role: string | null;
  /** In plain words: `publish posts`. */
  mayNot: string[];
  /** Plugins that change what is published, or how fast it shows. */
  plugins: string[];
};

export function siteReportCall(login: WordPressLogin, readIndex: () => Promise<SiteIndex>) {
  /** Describes the site to the account that was checked. */
  return async function reportSite({ roles, mayNot }: ConnectionCheck): Promise<SiteReport> {
    const home = homeOf(login.apiRoot);
    const [index, version] = await Promise.all([readIndex(), readVersion(login, home)]);
    const name = index.name || new URL(home).host;
    return { name, url: home, version, role: roles[0] ?? null, mayNot, plugins: pluginsOf(index.namespaces) };
  };
}

/** WordPress names its version in its feed, near the beginning, unless a plugin hides it. */
async function readVersion(login: WordPressLogin, home: string): Promise<string | null> {
  const options = { headers: { "User-Agent": USER_AGENT }, maxBytes: 20_000, overflow: "truncate" as const };
  try {
    const feed = await createExchange(login).send(new URL(`${home}/?feed=rss2`), { kind: "read" }, () => options);
    return versionIn(feed.text);
  } catch (error) {
    if (error instanceof UnreachableError || isAppError(error)) return null;
    throw error;
  }
}

/** The version that a feed names, such as `6.5.5`. */
export function versionIn(feed: string): string | null {
  return GENERATOR.exec(feed)?.[1] ?? null;
}

const GENERATOR =
  /<generator>https?:\/\/wordpress\.org\/\?v=(\d{1,2}(?:\.\d{1,3}){1,2}(?:-(?:alpha|beta|RC)[\d.-]{0,10})?)/;

/** The plugins whose namespaces the site has: for SEO, shops, caches and security. */
export function pluginsOf(namespaces: readonly string[]): string[] {
  const vendors = new Set(namespaces.map((namespace) => namespace.split("/", 1)[0] ?? ""));
  return PLUGINS.filter(([vendor]) => vendors.has(vendor)).map(([, name]) => name);
}

const PLUGINS = [
  ["yoast", "Yoast SEO"],
  ["rankmath", "Rank Math"],
  ["seopress", "SEOPress"],
  ["aioseo", "All in One SEO"],
  ["wc", "WooCommerce"],
  ["jetpack", "Jetpack"],
  ["litespeed", "LiteSpeed Cache"],
  ["wp-rocket", "WP Rocket"],
  ["wp-super-cache", "WP Super Cache"],
  ["siteground-optimizer", "Speed Optimizer"],
  ["wordfence", "Wordfence"],
  ["ithemes-security", "Solid Security"],
  ["reallysimplessl", "Really Simple Security"],
] as const;
