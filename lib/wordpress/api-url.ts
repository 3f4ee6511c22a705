/** Values of a query; undefined ones are left out. */
export type Query = Record<string, string | number | undefined>;

/** The address of a REST route, for pretty (`/wp-json/`) and plain (`?rest_route=/`) permalinks alike. `path` has no leading slash. */
export function apiUrl(apiRoot: string, path: string, query: Query = {}): URL {
  const url = new URL(apiRoot);
  const route = url.searchParams.get("rest_route");
  if (route === null) url.pathname = `${url.pathname.replace(/\/$/, "")}/${path}`;
  else url.searchParams.set("rest_route", `${route.replace(/\/$/, "")}/${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** The site's home page, from its REST root: `https://x/blog/wp-json/` and `https://x/blog/index.php?rest_route=/` → `https://x/blog`. */
export function homeOf(apiRoot: string): string {
  const url = new URL(apiRoot);
  const isPlain = url.searchParams.has("rest_route");
  const path = isPlain ? url.pathname.replace(/\/(?:index\.php)?$/, "") : url.pathname.replace(/\/[^/]+\/?$/, "");
  return `${url.origin}${path}`;
}
