import "server-only";
import { type SafeFetch, type SafeResponse, safeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { homeAddress, homeOf } from "@/lib/utils/site-address";
import { apiUrl } from "@/lib/wordpress/api-url";
import { connectionError, siteFailure, unreachableFailure } from "@/lib/wordpress/failures";
import { readJson } from "@/lib/wordpress/json";
import { ADDRESS_MAX, restError, siteIndex } from "@/lib/wordpress/schema";

/** A WordPress site: the root of its REST API, to which routes are joined with `apiUrl`, and its home page without a final slash. */
export type DiscoveredSite = { apiRoot: string; home: string };

/**
 * Finds the REST API of the site at an address as people type it: without scheme, with /wp-admin, in a subdirectory, of a single
 * post. Follows redirects and remembers where they ended. Throws CONNECTION_ERROR with the likely reason.
 */
export async function discoverSite(typed: string, options: { fetch?: SafeFetch } = {}): Promise<DiscoveredSite> {
  const fetch = options.fetch ?? safeFetch;
  try {
    const apiRoot = await firstThatAnswers(candidates(typed), (home) => findApiRoot(home, fetch));
    if (apiRoot.length > ADDRESS_MAX) throw connectionError("The address of its REST API is too long to be one.");
    return { apiRoot, home: homeOf(apiRoot) };
  } catch (error) {
    throw error instanceof UnreachableError ? unreachableFailure(error) : error;
  }
}

/** https first for an address without a scheme. */
function candidates(typed: string): [URL, ...URL[]] {
  const address = typed.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const [first, ...others] = (hasScheme ? [address] : [`https://${address}`, `http://${address}`]).map(candidate);
  if (!first) throw connectionError("It should look like https://blog.example.com.");
  return [first, ...others];
}

function candidate(address: string): URL {
  if (!URL.canParse(address)) throw connectionError("It should look like https://blog.example.com.");
  return homeAddress(address);
}

async function firstThatAnswers<T>([first, ...others]: [URL, ...URL[]], attempt: (url: URL) => Promise<T>): Promise<T> {
  try {
    return await attempt(first);
  } catch (error) {
    const [next, ...rest] = others;
    if (!next || !(error instanceof UnreachableError)) throw error;
    // The first failure says more: nothing else answered either.
    return firstThatAnswers([next, ...rest], attempt).catch(() => Promise.reject(error));
  }
}

async function findApiRoot(home: URL, fetch: SafeFetch): Promise<string> {
  const page = await fetch(home, { headers: { Accept: "text/html", "User-Agent": USER_AGENT }, overflow: "truncate" });
  const named = namedRoot(page);
  if (named) return named;
  if (page.status >= 400 && page.status !== 404) throw siteFailure(page, readJson(page.text), "");
  return guessedRoot(page.url, fetch);
}

/** Some sites answer a client without a name with an error. */
export const USER_AGENT = "ContentPlanner/1.0 (+WordPress REST API)";

/** WordPress names its REST root in a header of every page and in the page itself; a cache may lose the header. */
function namedRoot(page: SafeResponse): string | null {
  const header = /<([^<>]+)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(page.headers.get("link") ?? "");
  const element = /<link\b[^<>]{0,300}\brel=["']https:\/\/api\.w\.org\/["'][^<>]{0,300}>/i.exec(page.text)?.[0] ?? "";
  const named = header?.[1] ?? /\bhref=["']([^"']+)["']/i.exec(element)?.[1];
  if (!named || !URL.canParse(named, page.url)) return null;
  const root = new URL(named, page.url);
  const from = new URL(page.url);
  // Behind a proxy WordPress may believe that it is served over http; the password should not travel so.
  if (from.protocol === "https:" && root.host === from.host) root.protocol = "https:";
  return root.href;
}

async function guessedRoot(pageUrl: string, fetch: SafeFetch): Promise<string> {
  const home = new URL(".", pageUrl);
  for (const guess of [new URL("wp-json/", home), new URL("?rest_route=/", home)]) {
    const answer = await fetch(apiUrl(guess.href, ""), { headers: { "User-Agent": USER_AGENT } });
    const json = readJson(answer.text);
    // A site that shows its REST API to members alone answers with an error of WordPress' own.
    if (siteIndex.safeParse(json).success || restError.safeParse(json).data?.code.startsWith("rest_"))
      return guess.href;
  }
  throw connectionError(
    "No WordPress was found there: enter the address of WordPress itself, with its folder if it has one.",
  );
}
