import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError, isAppError } from "@/lib/errors";
import { showSite } from "@/lib/features/content/sql/shared";
import type { ListCategoriesQuery, SiteAnswer } from "@/lib/features/publishing/schema";
import {
  currentSite,
  type KnownSite,
  knownSites,
  type SiteCredentials,
  siteCredentialsOf,
  sitesWithPosts,
} from "@/lib/features/sites/reads";
import { rememberSite } from "@/lib/features/sites/writes";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { cursorPage, parsePosition } from "@/lib/utils/cursor-page";
import { trimEndMatching } from "@/lib/utils/text";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { type DiscoveredSite, discoverSite } from "@/lib/wordpress/discover";
import type { SiteCaller } from "@/lib/wordpress/exchange";
import { homeAddress, homeOf, placeOf } from "@/lib/wordpress/site-address";

/** What ends the calls to a site early: see SiteCaller. */
export type Ends = Pick<SiteCaller, "signal" | "deadline">;

/** The user's site, ready for calls. */
export type Site = DiscoveredSite & { id: string; client: WordPressClient };

type Reached = DiscoveredSite & { url: string; client: WordPressClient };

/**
 * Finds the site at the stored address and recognises it. `answer` says whether a site at a new place is the last one, moved
 * there. Throws MISSING_CREDENTIALS, CONNECTION_ERROR or SITE_UNCERTAIN; writes nothing to the site.
 */
export async function connectSite(actor: Actor, answer?: SiteAnswer, ends: Ends = {}): Promise<Site> {
  const credentials = await siteCredentialsOf(actor);
  const known = await atKnownRoot(actor, credentials, ends);
  if (known) return known;
  const reached = await reach(actor, credentials, ends);
  return { ...reached, id: await recognise(actor, reached, answer) };
}

/**
 * The default site, if it still answers at its REST root and gives the home address that the root is of. Spares the home page,
 * which takes WordPress several times as long as the index. Otherwise it is left to discovery.
 */
async function atKnownRoot(actor: Actor, credentials: SiteCredentials, ends: Ends): Promise<Site | undefined> {
  const { url } = credentials;
  const { wordpressUrl, wordpressSite } = await currentSite(actor);
  const site = (await knownSites(actor)).find(({ isDefault }) => isDefault);
  if (!site || site.apiRoot !== wordpressSite || wordpressUrl !== url) return undefined;
  const { id, apiRoot } = site;
  const home = homeOf(apiRoot);
  const login = { ...callerOf(actor, credentials, ends), apiRoot };
  try {
    const { home: named, hasBatch } = await createWordPressClient(login).readIndex({ asVisitor: true });
    if (named === null || trimEndMatching(named, /\//) !== home) return undefined;
    // Plugins may hide the route from visitors.
    return { id, apiRoot, home, client: createWordPressClient(hasBatch ? { ...login, hasBatch } : login) };
  } catch (error) {
    if (!isAppError(error) || isDown(error, home, url)) throw error;
    return undefined;
  }
}

/** Nothing answers there, and the address that the user typed is no other one. */
function isDown({ cause }: AppError, home: string, typed: string): boolean {
  const isSilent = cause instanceof UnreachableError && SILENT.includes(cause.reason);
  return isSilent && home === trimEndMatching(homeAddress(typed).href, /\//);
}

const SILENT: UnreachableReason[] = ["blocked", "dns", "timeout", "refused"];

function callerOf({ userId }: Actor, { username, password }: SiteCredentials, ends: Ends): SiteCaller {
  return { userId, username, password, ...ends };
}

async function reach(actor: Actor, credentials: SiteCredentials, ends: Ends): Promise<Reached> {
  const caller = callerOf(actor, credentials, ends);
  const site = await discoverSite(credentials.url, caller);
  return { ...site, url: credentials.url, client: createWordPressClient({ ...caller, apiRoot: site.apiRoot }) };
}

/** The categories of the actor's site, by name. The cursor is a position: the site is read again for each page. */
export async function listCategories(actor: Actor, { cursor }: ListCategoriesQuery, ends: Ends = {}) {
  const reached = await reach(actor, await siteCredentialsOf(actor), ends);
  await recognise(actor, reached).catch(notWhileUncertain);
  const rows = (await reached.client.listCategories()).map((category, index) => ({ ...category, position: index + 1 }));
  const after = parsePosition(cursor) ?? 0;
  const cursorOf = ({ position }: { position: number }) => String(position);
  return cursorPage(rows.slice(after), { maxBytes: MAX_LIST_BYTES, cursorOf });
}

/** Checks with the stored credentials whether this account may publish, and takes the answer to which site this is. */
export async function testConnection(actor: Actor, answer?: SiteAnswer, ends: Ends = {}) {
  const reached = await reach(actor, await siteCredentialsOf(actor), ends);
  const { roles, canPublish, warnings } = await reached.client.checkConnection();
  if (!canPublish) throw new AppError("WORDPRESS_FORBIDDEN", { message: warnings[0] });
  const uncertain = await recognise(actor, reached, answer).catch(notWhileUncertain);
  return { ok: true, site: reached.home, roles, warnings, question: isAppError(uncertain) ? uncertain.message : null };
}

/** Reading needs no certainty. */
function notWhileUncertain(error: unknown): unknown {
  if (!isAppError(error, "SITE_UNCERTAIN")) throw error;
  return error;
}

/**
 * The id of the site that was reached: the known one at its place, else the one that has moved there, else a new one. It
 * becomes the default site. Throws SITE_UNCERTAIN, unless answered, at a place that is new to a user who has posts on another
 * site.
 */
async function recognise(actor: Actor, reached: Reached, answer?: SiteAnswer): Promise<string> {
  const { url, apiRoot, home, client } = reached;
  const sites = await knownSites(actor);
  const { wordpressSite } = await currentSite(actor);
  const present = sites.find(({ isDefault }) => isDefault);
  if (present && wordpressSite === apiRoot && present.apiRoot === apiRoot) return present.id;
  const place = await placeOfSite(client, home);
  const known = sites.find((each) => each.place === place);
  const last = known ? undefined : await lastWithPosts(sites);
  if (last && !answer) throw uncertain(last, place);
  const moved = answer === "same" ? last : undefined;
  const found = { url, apiRoot, home, place, before: known ?? moved };
  return rememberSite(actor, found, (db, siteId) => showSite(db, actor.userId, siteId));
}

/** Where the site says it is, however it was reached. */
async function placeOfSite(client: WordPressClient, home: string): Promise<string> {
  const { home: named } = await client.readIndex();
  return placeOf(named !== null && URL.canParse(named) ? named : home);
}

/** The default site, or the newest of the others, that has posts of the user. */
async function lastWithPosts(sites: KnownSite[]): Promise<KnownSite | undefined> {
  const withPosts = await sitesWithPosts(sites);
  return sites.find(({ id }) => withPosts.has(id));
}

function uncertain({ place: known }: KnownSite, place: string): AppError {
  return new AppError("SITE_UNCERTAIN", {
    message: `Is ${place} the same site as ${known} at a new address, or another site?`,
    details: { knownSite: known, newSite: place },
  });
}
