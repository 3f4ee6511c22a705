import { trimEndMatching } from "@/lib/utils/text";

/**
 * Where a site is, by the home address that it gives of itself: host and path. http or https, `www.` and the kind of
 * permalinks make no difference.
 */
export function placeOf(home: string): string {
  const { host, pathname } = new URL(home);
  return host.replace(/^www\./, "") + trimEndMatching(pathname, /\//);
}

/**
 * An address as users type and paste it, without what is invisible, and with the slashes of its scheme:
 * ` https:/ blog.example.com` → `https://blog.example.com`.
 */
export function cleanAddress(typed: string): string {
  return typed
    .replace(/\p{Cf}/gu, "")
    .trim()
    .replace(/^(https?)(?::\/*|\/\/)\s*/i, "$1://");
}

/** Does the address a user typed lead to this place, as far as it alone can tell? */
export function isHomeOf(typed: string, place: string): boolean {
  return URL.canParse(typed) && placeOf(homeAddress(typed).href) === place;
}

/** Strips what users copy along from WordPress' screens. */
export function homeAddress(typed: string): URL {
  const url = new URL(typed);
  url.search = "";
  url.hash = "";
  url.pathname = `${trimEndMatching(url.pathname.replace(INNER_PATHS, ""), /\//)}/`;
  return url;
}

const INNER_PATHS = /\/(?:wp-admin|wp-login\.php|wp-json|wp-content|wp-includes|xmlrpc\.php|index\.php)(?:\/.*)?$/i;

/** The home of a REST root: `https://x/blog/wp-json/` and `https://x/blog/index.php?rest_route=/` → `https://x/blog`. */
export function homeOf(apiRoot: string): string {
  const url = new URL(apiRoot);
  const isPlain = url.searchParams.has("rest_route");
  const path = isPlain ? url.pathname.replace(/\/(?:index\.php)?$/, "") : url.pathname.replace(/\/[^/]+\/?$/, "");
  return `${url.origin}${path}`;
}
