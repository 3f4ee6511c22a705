import { withoutEnd } from "@/lib/utils/text";

/** Are these REST roots those of one site? It is one place over http and https, and with either kind of permalinks. */
export function isSameSite(apiRoot: string, other: string): boolean {
  return placeOf(homeOf(apiRoot)) === placeOf(homeOf(other));
}

/** Is this the home page of the site with this REST root, as far as the address alone can tell? */
export function isHomeOfSite(typed: string, apiRoot: string): boolean {
  return URL.canParse(typed) && placeOf(homeAddress(typed).href) === placeOf(homeOf(apiRoot));
}

function placeOf(home: string): string {
  const { host, pathname } = new URL(home);
  return host + withoutEnd(pathname, /\//);
}

/** The address of the site's home page in one that a person may have copied from any of its screens. */
export function homeAddress(typed: string): URL {
  const url = new URL(typed);
  url.search = "";
  url.hash = "";
  url.pathname = `${withoutEnd(url.pathname.replace(INNER_PATHS, ""), /\//)}/`;
  return url;
}

/** Parts of an address that belong to WordPress' own screens and not to the site. */
const INNER_PATHS = /\/(?:wp-admin|wp-login\.php|wp-json|wp-content|wp-includes|xmlrpc\.php|index\.php)(?:\/.*)?$/i;

/** The site's home page, from its REST root: `https://x/blog/wp-json/` and `https://x/blog/index.php?rest_route=/` → `https://x/blog`. */
export function homeOf(apiRoot: string): string {
  const url = new URL(apiRoot);
  const isPlain = url.searchParams.has("rest_route");
  const path = isPlain ? url.pathname.replace(/\/(?:index\.php)?$/, "") : url.pathname.replace(/\/[^/]+\/?$/, "");
  return `${url.origin}${path}`;
}
