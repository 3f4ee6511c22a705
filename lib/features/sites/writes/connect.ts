import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { sealPassword } from "@/lib/crypto/site-password";
import type { Db } from "@/lib/db/prisma";
import { AppError, isAppError } from "@/lib/errors";
import { moveProjects } from "@/lib/features/projects/sql/shared";
import { type CallableSite, callableSite, notConnected, type SiteTarget } from "@/lib/features/sites/reads";
import type { SiteAnswer } from "@/lib/features/sites/schema";
import { hasPosts, makeDefault, moveLinks, selectSite, selectSites } from "@/lib/features/sites/sql";
import { writingSites } from "@/lib/features/sites/writes/along";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { trimEndMatching } from "@/lib/utils/text";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { type DiscoveredSite, discoverSite } from "@/lib/wordpress/discover";
import type { SiteCaller } from "@/lib/wordpress/exchange";
import type { SiteIndex } from "@/lib/wordpress/schema";
import { SEOPRESS_NAMESPACE } from "@/lib/wordpress/seopress";
import { homeAddress, homeOf, placeOf } from "@/lib/wordpress/site-address";

/** What ends the calls to a site early: see SiteCaller. */
export type Ends = Pick<SiteCaller, "signal" | "deadline">;

/** A site of the user, ready for calls. */
export type Site = DiscoveredSite & { id: string; hasSeoPress: boolean; client: WordPressClient };

/** A site that has answered, not recognised yet. */
type Reached = DiscoveredSite & { client: WordPressClient };

/**
 * Finds a site at its stored address and recognises it. `answer` says whether a site at a new place is the one that was connected,
 * moved there, or another one, which is returned then. Throws MISSING_CREDENTIALS, CONNECTION_ERROR or SITE_UNCERTAIN; writes nothing to the site.
 */
export async function connectSite(
  actor: Actor,
  target: SiteTarget,
  answer?: SiteAnswer,
  ends: Ends = {},
): Promise<Site> {
  const site = await callableSite(actor, target);
  const known = await atKnownRoot(actor, site, ends);
  const connected = known ?? (await recognised(actor, site, await reach(actor, site, ends), answer));
  if (connected.id !== site.id && answer !== "other") await assertMeant(actor, target, { site, id: connected.id });
  await noteContact(actor, site, connected.id);
  return connected;
}

/** The address turned out to be that of another known site, which has it now: what was on the first is not for that one. */
async function assertMeant(
  { userId }: Actor,
  target: SiteTarget,
  { site, id }: { site: CallableSite; id: string },
): Promise<void> {
  if ((await selectSite(userId, target))?.id !== id) throw notConnected({ ...site, isDefault: false });
}

/** As connectSite for calls that only read: those need no certainty. `uncertain` is the SITE_UNCERTAIN that was not answered. */
export async function lookAtSite(
  actor: Actor,
  target: SiteTarget,
  answer?: SiteAnswer,
  ends: Ends = {},
): Promise<Reached & { id: string; uncertain?: AppError }> {
  const site = await callableSite(actor, target);
  const reached = await reach(actor, site, ends);
  try {
    return await recognised(actor, site, reached, answer);
  } catch (error) {
    if (!isAppError(error, "SITE_UNCERTAIN")) throw error;
    return { ...reached, id: site.id, uncertain: error };
  }
}

/**
 * The site, if it still answers at its REST root and gives the home address that the root is of. Spares the home page, which takes
 * WordPress several times as long as the index. Otherwise it is left to discovery.
 */
async function atKnownRoot(actor: Actor, site: CallableSite, ends: Ends): Promise<Site | undefined> {
  const { id, apiRoot, url } = site;
  if (apiRoot === null) return undefined;
  const home = homeOf(apiRoot);
  const login = { ...callerOf(actor, site, ends), apiRoot };
  try {
    const { home: named, hasBatch, namespaces } = await createWordPressClient(login).readIndex({ asVisitor: true });
    if (named === null || trimEndMatching(named, /\//) !== home) return undefined;
    // Plugins may hide the route from visitors.
    const client = createWordPressClient(hasBatch ? { ...login, hasBatch } : login);
    return { id, apiRoot, home, hasSeoPress: namespaces.includes(SEOPRESS_NAMESPACE), client };
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

type Login = Pick<CallableSite, "url" | "username" | "password">;

function callerOf({ userId }: Actor, { username, password }: Login, ends: Ends): SiteCaller {
  return { userId, username, password, ...ends };
}

/** Finds the site at this address. Throws CONNECTION_ERROR. */
export async function reach(actor: Actor, login: Login, ends: Ends): Promise<Reached> {
  const caller = callerOf(actor, login, ends);
  const found = await discoverSite(login.url, caller);
  return { ...found, client: createWordPressClient({ ...caller, apiRoot: found.apiRoot }) };
}

/** Where the site says it is, however it was reached. */
export function placeOfSite({ home }: Reached, { home: named }: SiteIndex): string {
  return placeOf(named !== null && URL.canParse(named) ? named : home);
}

async function recognised(actor: Actor, site: CallableSite, reached: Reached, answer: SiteAnswer): Promise<Site> {
  // The index of a known root is not read again: SEOPress gets nothing where it is hidden from visitors.
  if (site.apiRoot === reached.apiRoot) return { ...reached, id: site.id, hasSeoPress: false };
  const index = await reached.client.readIndex();
  const id = await recognise(actor, site, { ...reached, place: placeOfSite(reached, index) }, answer);
  return { ...reached, id, hasSeoPress: index.namespaces.includes(SEOPRESS_NAMESPACE) };
}

/**
 * The id of the site that was reached: the one at its place, which takes over the address and the password; else this one, which
 * was never found before, has moved there, or has no posts; else a new one. Throws SITE_UNCERTAIN, unless answered.
 */
async function recognise(
  actor: Actor,
  site: CallableSite,
  { apiRoot, home, place }: DiscoveredSite & { place: string },
  answer: SiteAnswer,
): Promise<string> {
  const isOfPosts = site.place !== null && (await hasPosts(site.id));
  return writingSites(actor, async (db) => {
    const sites = await selectSites(actor.userId, db);
    const known = sites.find((each) => each.place === place);
    const isUncertain = !known && isOfPosts;
    if (isUncertain && !answer) throw uncertain(site.place ?? "", place);
    // Another call was first, or the user has entered another address meanwhile.
    if (sites.find(({ id }) => id === site.id)?.url !== site.url) {
      if (!known) throw new AppError("ALREADY_RUNNING", { message: JUST_CHANGED });
      return known.id;
    }
    const to = known?.id ?? (isUncertain && answer === "other" ? await insertAt(db, actor, place) : site.id);
    if (to !== site.id) await handOver(db, actor, site, to);
    await db.site.update({ where: { id: to }, data: { place, apiRoot }, select: { id: true } });
    const before = known?.place ?? (to === site.id ? site.place : null);
    if (before) await moveLinks(db, to, { from: before, to: home });
    return to;
  });
}

const JUST_CHANGED = "The address of this site has just been changed. Look at it in Settings, then try again.";

async function insertAt(db: Db, { userId }: Actor, place: string): Promise<string> {
  return (await db.site.create({ data: { userId, place }, select: { id: true } })).id;
}

/** Gives a site's address and password to another one. Of a site that was never found, that one is all there is. */
async function handOver(db: Db, { userId }: Actor, site: CallableSite, to: string): Promise<void> {
  const { url, username, isDefault } = site;
  const password = sealPassword(to, site.password);
  await db.site.update({ where: { id: to }, data: { url, username, password }, select: { id: true } });
  if (isDefault) await makeDefault(db, userId, to);
  if (site.place === null) {
    await moveProjects(db, userId, site.id, to);
    await db.site.deleteMany({ where: { id: site.id, userId } });
  } else {
    const gone = { url: null, username: null, password: null, apiRoot: null };
    await db.site.update({ where: { id: site.id }, data: gone, select: { id: true } });
  }
}

/** How often it is recorded that the site has answered. */
const CONTACT_MS = 5 * 60_000;

async function noteContact(actor: Actor, site: CallableSite, id: string): Promise<void> {
  if (site.hasOwnSeal && site.lastContactAt && Date.now() - site.lastContactAt.getTime() < CONTACT_MS) return;
  const sealedAnew = site.hasOwnSeal || id !== site.id ? {} : { password: sealPassword(id, site.password) };
  await writingSites(actor, (db) =>
    db.site.updateMany({ where: { id, url: site.url }, data: { lastContactAt: new Date(), ...sealedAnew } }),
  );
}

function uncertain(known: string, place: string): AppError {
  return new AppError("SITE_UNCERTAIN", {
    message: `Is ${place} the same site as ${known} at a new address, or another site?`,
    details: { knownSite: known, newSite: place },
  });
}
