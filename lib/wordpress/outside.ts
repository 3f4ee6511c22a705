import "server-only";
import { z } from "zod";
import type { SafeResponse } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { apiUrl, type Query } from "@/lib/wordpress/api-url";
import { USER_AGENT } from "@/lib/wordpress/discover";
import { createExchange, type Exchange, type SiteCaller } from "@/lib/wordpress/exchange";
import { readJson } from "@/lib/wordpress/json";
import { LIST_MAX, publicPost, siteAtHome } from "@/lib/wordpress/schema";
import { homeAddress, homeOf } from "@/lib/wordpress/site-address";

export type PublicPost = z.infer<typeof publicPost>;

/** What a visitor finds at an address: the site, a redirect elsewhere, no WordPress any more, or nothing certain. */
export type OutsideLook =
  | { state: "answers"; home: string | null; posts: PublicPost[] }
  | { state: "moved"; to: string }
  | { state: "gone" }
  | { state: "unclear" };

/**
 * Looks at a site as any visitor, never with a login. `posts` are the public ones of `postIds`. Only what cannot be a
 * passing fault counts as gone.
 */
export async function lookFromOutside(apiRoot: string, postIds: number[], caller: SiteCaller): Promise<OutsideLook> {
  const exchange = createExchange(caller);
  const home = homeOf(apiRoot);
  const ask: Ask = async (path, query) => {
    // This form answers with either kind of permalinks.
    const url = apiUrl(`${home}/?rest_route=/`, path, query);
    const headers = { Accept: "application/json", "User-Agent": USER_AGENT };
    return exchange.send(url, { kind: "read" }, () => ({ headers })).catch(unreachableOrThrow);
  };
  const index = await ask("", { _fields: "home,namespaces" });
  if (index instanceof UnreachableError)
    return { state: isNobodyThere(index, new URL(home).host) ? "gone" : "unclear" };
  const to = addressOf(index.url);
  if (placeOf(to) !== placeOf(home)) return { state: "moved", to };
  const site = exchange.read(siteAtHome, readJson(index.text));
  if (index.status !== 200 || !site.success) return { state: isOther(index) ? "gone" : "unclear" };
  const posts = await publicPosts(postIds, ask, exchange);
  return posts ? { state: "answers", home: site.data.home, posts } : { state: "unclear" };
}

type Ask = (path: string, query: Query) => Promise<SafeResponse | UnreachableError>;

function unreachableOrThrow(error: unknown): UnreachableError {
  if (!(error instanceof UnreachableError)) throw error;
  return error;
}

/** Null if the site does not list them. */
async function publicPosts(ids: number[], ask: Ask, { read }: Exchange): Promise<PublicPost[] | null> {
  const posts: PublicPost[] = [];
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    const asked = ids.slice(from, from + PAGE_SIZE);
    const query = { include: asked.join(","), per_page: PAGE_SIZE, _fields: "id,guid.rendered,date_gmt" };
    const listed = await ask("wp/v2/posts", query);
    if (listed instanceof UnreachableError || listed.status !== 200) return null;
    const list = read(z.array(publicPost).max(LIST_MAX), readJson(listed.text));
    if (!list.success) return null;
    posts.push(...list.data.filter(({ id }) => asked.includes(id)));
  }
  return posts;
}

/** WordPress' own limit. */
const PAGE_SIZE = 100;

/** Where a request for the REST root ended. */
function addressOf(url: string): string {
  return new URL(url).searchParams.has("rest_route") ? homeOf(url) : homeAddress(url).href.replace(/\/$/, "");
}

/** http or https, with or without www: the same place. */
function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return host.replace(/^www\./, "") + pathname.replace(/\/$/, "");
}

/** Is this an answer of something that is not WordPress? Not a firewall's question to visitors, nor an empty page. */
function isOther({ status, headers, text }: SafeResponse): boolean {
  if (status !== 200 && status !== 404 && status !== 410) return false;
  if (text.trim() === "" || /captcha|challenge|just a moment|checking your browser/i.test(text)) return false;
  const isWordPress =
    wordPressError.safeParse(readJson(text)).success ||
    headers.get("link")?.includes("https://api.w.org/") ||
    /\/wp-(?:content|includes|json)\/|<meta name="generator" content="WordPress/i.test(text);
  return !isWordPress;
}

const wordPressError = z.object({ code: z.string().startsWith("rest_") });

/** No such name, or nothing that listens there. Faults of our own network look alike. */
function isNobodyThere(error: UnreachableError, host: string): boolean {
  if (error.host !== host || error.sent) return false;
  return (error.reason === "dns" || error.reason === "refused") && !hasCode(error, OUR_OWN_FAULTS);
}

const OUR_OWN_FAULTS = ["EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL"];

function hasCode(error: unknown, codes: string[]): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === "string" && codes.includes(code)) return true;
  return hasCode(cause, codes) || (Array.isArray(errors) && errors.some((each) => hasCode(each, codes)));
}
