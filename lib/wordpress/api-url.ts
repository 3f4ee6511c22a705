export type Query = Record<string, string | number | undefined>;

/** Supports pretty (`/wp-json/`) and plain (`?rest_route=/`) permalinks. `path` has no leading slash. */
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
