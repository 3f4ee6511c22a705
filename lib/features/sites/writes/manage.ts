import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { sealPassword } from "@/lib/crypto/site-password";
import type { Db, Prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedSite, shownSite } from "@/lib/features/sites/reads";
import { MAX_SITES, normalizeSiteUrl, siteName } from "@/lib/features/sites/rules";
import type { AddSiteInput, ConnectionOut, SiteAnswer, SiteOut, UpdateSiteInput } from "@/lib/features/sites/schema";
import { makeDefault, type SiteRow, type SiteTarget, selectSites } from "@/lib/features/sites/sql";
import { writingSites } from "@/lib/features/sites/writes/along";
import { type Ends, lookAtSite, placeOfSite, reach } from "@/lib/features/sites/writes/connect";
import { isBlank } from "@/lib/utils/text";
import type { WordPressClient } from "@/lib/wordpress/client";

/**
 * Adds a site that answers and lets this account publish; it becomes the default one where that is not connected. One that was connected before, at
 * this place, has its projects and posts again. Throws VALIDATION_ERROR at MAX_SITES, DUPLICATE, CONNECTION_ERROR and
 * WORDPRESS_FORBIDDEN.
 */
export async function addSite(actor: Actor, input: AddSiteInput, ends: Ends = {}): Promise<SiteOut> {
  const { userId } = actor;
  const login = { url: normalizeSiteUrl(input.url, "url"), username: input.username, password: input.password };
  const reached = await reach(actor, login, ends);
  const { report } = await checked(reached.client);
  const place = placeOfSite(reached, await reached.client.readIndex());
  const id = await writingSites(actor, async (db) => {
    const sites = await selectSites(userId, db);
    refuseToAdd(sites, [place]);
    const known = sites.find((site) => site.place === place);
    const { id } = known ?? (await db.site.create({ data: { userId, place }, select: { id: true } }));
    const { url, username } = login;
    const password = sealPassword(id, login.password);
    const found = { apiRoot: reached.apiRoot, ...learnt(report) };
    await db.site.update({ where: { id }, data: { url, username, password, name: input.name || null, ...found } });
    if (!sites.some(({ isDefault, url }) => isDefault && url !== null)) await makeDefault(db, userId, id);
    await audited(db, actor);
    return id;
  });
  return shownSite(await ownedSite(actor, id));
}

/** Throws what addSite does for a site at one of these places. */
export async function assertAddable({ userId }: Actor, places: string[]): Promise<void> {
  refuseToAdd(await selectSites(userId), places);
}

function refuseToAdd(sites: SiteRow[], places: string[]): void {
  const there = sites.find(({ url, place }) => url !== null && place !== null && places.includes(place));
  if (there) throw isThere(there);
  if (sites.filter(({ url }) => url !== null).length < MAX_SITES) return;
  throw new AppError("VALIDATION_ERROR", {
    message: `You have ${MAX_SITES} sites, the maximum. Remove one you no longer need first.`,
  });
}

function isThere(site: SiteRow): AppError {
  const sentence = `This is ${siteName(site)}, which is among your sites already. Change it there instead.`;
  return new AppError("DUPLICATE", { message: sentence, fields: { url: [sentence] } });
}

/**
 * Changes what is known of a site. A new address needs its password in the same call, so that a stored password never goes to a site
 * it was not entered for. Throws NOT_FOUND and VALIDATION_ERROR.
 */
export async function updateSite(actor: Actor, id: string, input: UpdateSiteInput): Promise<SiteOut> {
  const { userId } = actor;
  await writingSites(actor, async (db) => {
    const site = await ownedSite(actor, id, db);
    const login = loginChange(site, input, "password");
    const named = input.name === undefined ? {} : { name: input.name || null };
    await db.site.update({ where: { id }, data: { ...named, ...login }, select: { id: true } });
    if (input.isDefault && !site.url) throw new AppError("VALIDATION_ERROR", { message: CONNECT_FIRST });
    if (input.isDefault) await makeDefault(db, userId, id);
    if (input.isDefault || Object.keys(login).length > 0) await audited(db, actor);
  });
  return shownSite(await ownedSite(actor, id));
}

const CONNECT_FIRST = "Enter this site's address and password first. Then it can be your default site.";

/** What changes of a site's address, username and password; absent or blank leaves them. `field`: the password's in the call. */
export function loginChange(
  site: Pick<SiteRow, "id" | "url" | "username" | "password">,
  input: { url?: string | undefined; username?: string | null | undefined; password?: string | null | undefined },
  field: "password" | "wordpressPassword",
): Prisma.SiteUpdateInput {
  const url =
    input.url === undefined ? site.url : normalizeSiteUrl(input.url, field === "password" ? "url" : "wordpressUrl");
  const isNew = url !== site.url;
  if (isNew && site.password !== null && isBlank(input.password)) {
    const sentence = "Enter the password of the new site: the stored one belongs to the old address.";
    throw new AppError("VALIDATION_ERROR", { message: sentence, fields: { [field]: [sentence] } });
  }
  const username = input.username === undefined ? site.username : input.username || null;
  return {
    // Root, version and role belong to the old address.
    ...(isNew ? { url, apiRoot: null, version: null, role: null } : {}),
    ...(username === site.username ? {} : { username }),
    ...(input.password === null ? { password: null } : {}),
    ...(isBlank(input.password) ? {} : { password: sealPassword(site.id, input.password ?? "") }),
  };
}

/** Nothing connects the site any more; what is known of its posts stays. */
export const DISCONNECTED = { url: null, username: null, password: null, apiRoot: null } as const;

/**
 * Removes a site. Nothing is deleted there, and what is known of its posts stays. Throws NOT_FOUND, and VALIDATION_ERROR while a project
 * is on it, or while it is the default one of several.
 */
export async function removeSite(actor: Actor, id: string): Promise<void> {
  await writingSites(actor, async (db) => {
    const site = await ownedSite(actor, id, db);
    if (site.projectCount > 0) throw new AppError("VALIDATION_ERROR", { message: stillUsed(site) });
    const others = (await selectSites(actor.userId, db)).filter((each) => each.id !== id && each.url !== null);
    if (site.isDefault && others.length > 0) throw new AppError("VALIDATION_ERROR", { message: ANOTHER_DEFAULT });
    await db.site.update({ where: { id }, data: { ...DISCONNECTED, name: null }, select: { id: true } });
    await auditIn(db, {
      userId: actor.userId,
      context: actor.context,
      action: "settings.site_changed",
      detail: { removed: true },
    });
  });
}

function stillUsed({ projectCount }: SiteRow): string {
  const [noun, them] = projectCount === 1 ? ["project is", "it"] : ["projects are", "them"];
  return `${projectCount} ${noun} on this site. Move ${them} to another site first.`;
}

const ANOTHER_DEFAULT = "This is your default site. Make another one the default first.";

/** Checks with the stored credentials whether this account may publish, and takes the answer to which site this is. */
export async function testConnection(
  actor: Actor,
  target: SiteTarget,
  answer?: SiteAnswer,
  ends: Ends = {},
): Promise<ConnectionOut> {
  const site = await lookAtSite(actor, target, answer, ends);
  const { roles, warnings, report } = await checked(site.client);
  const where = { id: site.id, userId: actor.userId };
  if (!site.uncertain) await writingSites(actor, (db) => db.site.updateMany({ where, data: learnt(report) }));
  return { ok: true, site: site.home, report, roles, warnings, question: site.uncertain?.message ?? null };
}

/** Throws WORDPRESS_FORBIDDEN unless this account may publish. */
async function checked(client: WordPressClient) {
  const account = await client.checkConnection();
  if (!account.canPublish) throw new AppError("WORDPRESS_FORBIDDEN", { message: account.warnings[0] });
  return { ...account, report: await client.reportSite(account) };
}

function learnt({ version, role }: ConnectionOut["report"]) {
  return { version, role, lastContactAt: new Date() };
}

async function audited(db: Db, { userId, context }: Actor): Promise<void> {
  await auditIn(db, { userId, context, action: "settings.site_changed", detail: { removed: false } });
}
