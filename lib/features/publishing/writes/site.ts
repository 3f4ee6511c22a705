import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError, isAppError } from "@/lib/errors";
import {
  currentSite,
  type KnownSite,
  knownSites,
  type SiteCredentials,
  siteCredentialsOf,
} from "@/lib/features/account/settings/reads";
import { rememberSite } from "@/lib/features/account/settings/writes/settings";
import {
  adoptPosts,
  type CopiedPost,
  moveLinks,
  type SampledPost,
  samplePosts,
  sampleUnanswered,
  showSite,
} from "@/lib/features/content/sql/shared";
import { markerSlug } from "@/lib/features/publishing/rules";
import type { ListCategoriesQuery, SiteAnswer } from "@/lib/features/publishing/schema";
import { isStoredPost } from "@/lib/features/publishing/writes/identity";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { cursorPage, parsePosition } from "@/lib/utils/cursor-page";
import { trimEndMatching } from "@/lib/utils/text";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { type DiscoveredSite, discoverSite } from "@/lib/wordpress/discover";
import type { SiteCaller } from "@/lib/wordpress/exchange";
import { lookFromOutside } from "@/lib/wordpress/outside";
import { homeAddress, homeOf, placeOf } from "@/lib/wordpress/site-address";

/** What ends the calls to a site early: see SiteCaller. */
export type Ends = Pick<SiteCaller, "signal" | "deadline">;

/** The person's site, ready for calls. */
export type Site = DiscoveredSite & { id: string; client: WordPressClient };

type Reached = DiscoveredSite & { url: string; caller: SiteCaller; client: WordPressClient };

/** Posts that are compared with a site at a new address. */
const SAMPLE = 20;
/** Sites that a new address is compared with, the latest first. */
const MAX_COMPARED = 5;

/**
 * Finds the site at the stored address and recognises it. `answer` settles whether a site at a new address is one that was
 * connected before. Throws MISSING_CREDENTIALS, CONNECTION_ERROR or SITE_UNCERTAIN; writes nothing to the site.
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
 * which takes WordPress several times as long as the index. What is not so, discovery tells.
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

/** Nothing answers there, and the address that the person typed is no other one. */
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
  return { ...site, url: credentials.url, caller, client: createWordPressClient({ ...caller, apiRoot: site.apiRoot }) };
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

/** The id of the site that was reached, known or new; it becomes the default one. */
async function recognise(actor: Actor, reached: Reached, answer?: SiteAnswer): Promise<string> {
  const { url, apiRoot, home, caller, client } = reached;
  const sites = await knownSites(actor);
  const { wordpressSite } = await currentSite(actor);
  const present = sites.find(({ isDefault }) => isDefault);
  if (present && wordpressSite === apiRoot && present.apiRoot === apiRoot) return present.id;
  const place = await placeOfSite(client, home);
  const known = sites.find((each) => each.place === place);
  const original = known ? undefined : await originalOf(sites, { caller, client, place, answer });
  const moved = original?.isSame ? original.site : undefined;
  return rememberSite(
    actor,
    { url, apiRoot, place, movedId: moved?.id },
    {
      onSaved: async (db, siteId) => {
        const before = known ?? moved;
        if (before) await moveLinks(db, siteId, { from: before.place, to: home });
        else if (original) await adoptPosts(db, { from: original.site.id, to: siteId, posts: original.posts });
      },
      onDefault: (db, siteId) => showSite(db, actor.userId, siteId),
    },
  );
}

/** Where the site says it is, however it was reached. */
async function placeOfSite(client: WordPressClient, home: string): Promise<string> {
  const { home: named } = await client.readIndex();
  return placeOf(named !== null && URL.canParse(named) ? named : home);
}

type Original = { site: KnownSite; isSame: boolean; posts: SharedPost[] };
type SharedPost = CopiedPost & Pick<SampledPost, "dateGmt">;

/**
 * The known site whose posts this one has. It is the same site if it has left its old address, and a copy of it, such as a
 * staging site, if the old address still has those posts. Throws SITE_UNCERTAIN when the old address does not tell.
 */
async function originalOf(
  sites: KnownSite[],
  {
    caller,
    client,
    place,
    answer,
  }: Pick<Reached, "caller" | "client"> & { place: string; answer: SiteAnswer | undefined },
): Promise<Original | undefined> {
  for (const site of sites.slice(0, MAX_COMPARED)) {
    const posts = await sharedPosts(client, await samplePosts(site.id, SAMPLE));
    if (posts.length === 0 && !(await hasUnanswered(client, site))) continue;
    const isSame = answer ? answer === "same" : await hasMoved(site, { caller, place, posts });
    return { site, isSame, posts };
  }
  return undefined;
}

async function sharedPosts(client: WordPressClient, sample: SampledPost[]): Promise<SharedPost[]> {
  if (sample.length === 0) return [];
  const found = await client.readPosts(sample.map(({ postId }) => Number(postId)));
  return sample.flatMap((stored) => {
    const post = found.get(Number(stored.postId));
    if (!post || !isStoredPost(stored, post)) return [];
    const isLive = post.status === "publish";
    return [
      {
        postId: stored.postId,
        dateGmt: stored.dateGmt ?? post.dateGmt,
        status: isLive ? ("wp_published" as const) : ("wp_draft" as const),
        permalink: isLive ? post.link : null,
      },
    ];
  });
}

/** Does this site have a draft whose creation on the other one went unanswered? */
async function hasUnanswered(client: WordPressClient, site: KnownSite): Promise<boolean> {
  const markers = (await sampleUnanswered(site.id, SAMPLE)).map(markerSlug);
  if (markers.length === 0) return false;
  const found = await client.findByMarkers(markers);
  return [...found.values()].some((posts) => posts.length > 0);
}

async function hasMoved(
  site: KnownSite,
  { caller, place, posts }: { caller: SiteCaller; place: string; posts: SharedPost[] },
): Promise<boolean> {
  const ids = posts.map(({ postId }) => Number(postId));
  const look = await lookFromOutside(site.apiRoot, ids, caller);
  if (look.state === "gone") return true;
  if (look.state === "moved") return placeOf(look.to) === place || uncertain(site, place);
  if (look.state === "unclear") return uncertain(site, place);
  if (look.home !== null && placeOf(look.home) === place) return true;
  const isThere = posts.some((stored) =>
    look.posts.some(({ id, ...post }) => String(id) === stored.postId && post.dateGmt === stored.dateGmt),
  );
  return isThere ? false : uncertain(site, place);
}

function uncertain(site: KnownSite, place: string): never {
  throw new AppError("SITE_UNCERTAIN", {
    message: `The site at ${place} has the posts of ${site.place}. Is it the same site at a new address, or a copy of it?`,
    details: { knownSite: site.place, newSite: place },
  });
}
