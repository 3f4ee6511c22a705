import "server-only";
import type { SafeFetchOptions, SafeResponse } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { apiUrl } from "@/lib/wordpress/api-url";
import { createExchange, type Exchange, type SiteCaller } from "@/lib/wordpress/exchange";
import { connectionError, quotesPasswordError, siteFailure, unreachableSiteError } from "@/lib/wordpress/failures";
import { readJson } from "@/lib/wordpress/json";
import { ADDRESS_MAX, restError, siteIndex } from "@/lib/wordpress/schema";
import { cleanAddress, homeAddress, homeOf } from "@/lib/wordpress/site-address";

/** `apiUrl` joins routes to `apiRoot`; `home` has no trailing slash. */
export type DiscoveredSite = { apiRoot: string; home: string };

/**
 * Finds the REST API at an address as users type it: without scheme, with /wp-admin, in a subdirectory, of a single
 * post. Follows redirects and returns where they ended. Throws CONNECTION_ERROR with the likely reason.
 */
export async function discoverSite(typed: string, caller: SiteCaller): Promise<DiscoveredSite> {
  const site = createExchange(caller);
  try {
    const apiRoot = await firstThatAnswers(candidates(typed), (home) => findApiRoot(home, site));
    if (site.secret.isIn(apiRoot)) throw quotesPasswordError();
    if (apiRoot.length > ADDRESS_MAX) throw connectionError("The address of its REST API is too long to be one.");
    return { apiRoot, home: homeOf(apiRoot) };
  } catch (error) {
    throw error instanceof UnreachableError ? unreachableSiteError(error) : error;
  }
}

/** Puts https first when there is no scheme. */
function candidates(typed: string): [URL, ...URL[]] {
  const address = cleanAddress(typed);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return [candidate(address)];
  return [candidate(`https://${address}`), candidate(`http://${address}`)];
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
    // The first failure says the most.
    return firstThatAnswers([next, ...rest], attempt).catch(() => Promise.reject(error));
  }
}

async function findApiRoot(home: URL, site: Exchange): Promise<string> {
  const page = await look(site, home, { headers: { Accept: "text/html" }, overflow: "truncate" });
  const named = linkedRoot(page);
  if (named) return named;
  if (page.status >= 400 && page.status !== 404) throw siteFailure(page, readJson(page.text), site.secret);
  return guessRoot(page.url, site);
}

function look(site: Exchange, url: URL, { headers, ...options }: SafeFetchOptions = {}): Promise<SafeResponse> {
  return site.send(url, { kind: "read" }, () => ({ ...options, headers: { "User-Agent": USER_AGENT, ...headers } }));
}

/** Some sites reject clients without a name. */
export const USER_AGENT = "ContentPlanner/1.0 (+WordPress REST API)";

/** WordPress links its REST root in a header and in the page; a cache may drop the header. */
function linkedRoot(page: SafeResponse): string | null {
  const header = /<([^<>]+)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(page.headers.get("link") ?? "");
  const element = /<link\b[^<>]{0,300}\brel=["']https:\/\/api\.w\.org\/["'][^<>]{0,300}>/i.exec(page.text)?.[0] ?? "";
  const named = header?.[1] ?? /\bhref=["']([^"']+)["']/i.exec(element)?.[1];
  if (!named || !URL.canParse(named, page.url)) return null;
  const root = new URL(named, page.url);
  const from = new URL(page.url);
  // Behind a proxy WordPress may think it runs on http; the password must not travel that way.
  if (from.protocol === "https:" && root.host === from.host) root.protocol = "https:";
  return root.href;
}

async function guessRoot(pageUrl: string, site: Exchange): Promise<string> {
  const home = new URL(".", pageUrl);
  for (const guess of [new URL("wp-json/", home), new URL("?rest_route=/", home)]) {
    const answer = await look(site, apiUrl(guess.href, ""));
    const json = readJson(answer.text);
    // A members-only REST API answers with one of WordPress' own errors.
    if (siteIndex.safeParse(json).success || restError.safeParse(json).data?.code.startsWith("rest_"))
      return guess.href;
  }
  throw connectionError(
    "No WordPress was found there: enter the address of WordPress itself, with its folder if it has one.",
  );
}
