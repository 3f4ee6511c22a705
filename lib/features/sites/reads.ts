import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { openPassword } from "@/lib/crypto/site-password";
import type { Db } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { siteName } from "@/lib/features/sites/rules";
import type { SiteOut } from "@/lib/features/sites/schema";
import { type SiteRow, type SiteTarget, selectSite, selectSites } from "@/lib/features/sites/sql";
import type { PostHere } from "@/lib/features/sites/sql/shared";

export type { PostHere, SiteRow, SiteTarget };

/** A site that can be called. */
export type CallableSite = SiteRow & { url: string; username: string; password: string; hasOwnSeal: boolean };

/** The sites that are connected or that a project is on, the default one first. */
export async function listSites({ userId }: Actor): Promise<SiteOut[]> {
  return (await selectSites(userId)).filter(isListed).map(shownSite);
}

/** Every site that is known of the user, also those that are not connected any more, without their passwords. */
export async function exportedSites({ userId }: Actor) {
  return (await selectSites(userId)).map(({ password: _, ...site }) => site);
}

function isListed({ url, projectCount }: SiteRow): boolean {
  return url !== null || projectCount > 0;
}

/** One of the listed sites. Throws NOT_FOUND. */
export async function ownedSite({ userId }: Actor, id: string, db?: Pick<Db, "$queryRaw">): Promise<SiteRow> {
  const site = await selectSite(userId, { siteId: id }, db);
  if (!site || !isListed(site)) throw siteNotFound();
  return site;
}

function siteNotFound(): AppError {
  return new AppError("NOT_FOUND", { message: "This site was not found. It may have been removed." });
}

export function shownSite({
  id,
  url,
  username,
  password,
  version,
  role,
  isDefault,
  projectCount,
  ...row
}: SiteRow): SiteOut {
  const { lastContactAt } = row;
  const name = siteName({ ...row, url });
  const hasPassword = password !== null;
  return {
    id,
    name,
    url,
    username,
    hasPassword,
    version,
    role,
    isDefault,
    projects: projectCount,
    lastContactAt: lastContactAt?.toISOString() ?? null,
  };
}

/**
 * The site with its password in clear text, for its next calls. Throws MISSING_CREDENTIALS unless address, username and password
 * are there and open, and NOT_FOUND for a site that is not the actor's.
 */
export async function callableSite(actor: Actor, target: SiteTarget): Promise<CallableSite> {
  const site = await selectSite(actor.userId, target);
  if (!site && target.siteId !== undefined) throw siteNotFound();
  const opened = site && openPassword(actor.userId, site);
  if (!site?.url || !site.username || !opened) throw notConnected(site);
  return { ...site, url: site.url, username: site.username, password: opened.password, hasOwnSeal: !opened.isOld };
}

export function notConnected(site: SiteRow | undefined): AppError {
  if (!site || site.isDefault) return new AppError("MISSING_CREDENTIALS");
  return new AppError("MISSING_CREDENTIALS", {
    message: `${siteName(site)} is not connected. Enter its address and password in Settings, or move the project to another site.`,
  });
}
