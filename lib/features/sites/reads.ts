import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { LIVE } from "@/lib/db/own";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { openSecret } from "@/lib/features/account/settings/reads";
import { type KnownSite, selectSites, selectSitesWithPosts } from "@/lib/features/sites/sql";
import { type CurrentSite, currentSiteSql, type PostHere } from "@/lib/features/sites/sql/shared";
import { isBlank } from "@/lib/utils/text";

export type SiteCredentials = { url: string; username: string; password: string };

export async function currentSite({ userId }: Actor): Promise<CurrentSite> {
  const [row] = await prisma.$queryRaw<CurrentSite[]>(currentSiteSql(userId));
  return row ?? { wordpressUrl: null, wordpressSite: null, place: null };
}

export type { CurrentSite, KnownSite, PostHere };

/** Every site the user has connected, the default one first. */
export function knownSites({ userId }: Actor): Promise<KnownSite[]> {
  return selectSites(userId);
}

/** The ids of those of the sites that have posts of pieces, or creations that went unanswered. */
export function sitesWithPosts(sites: KnownSite[]): Promise<Set<string>> {
  return selectSitesWithPosts(sites.map(({ id }) => id));
}

/** Throws MISSING_CREDENTIALS unless all three are set. */
export async function siteCredentialsOf(actor: Actor): Promise<SiteCredentials> {
  const row = await prisma.user.findUnique({
    where: { id: actor.userId, ...LIVE },
    select: { wordpressUrl: true, wordpressUsername: true, wordpressPassword: true },
  });
  const missing = new AppError("MISSING_CREDENTIALS");
  if (!row?.wordpressUrl || !row.wordpressUsername || isBlank(row.wordpressPassword)) throw missing;
  const sealed = row.wordpressPassword ?? "";
  const password = openSecret(sealed, actor, "wordpressPassword", missing);
  return { url: row.wordpressUrl, username: row.wordpressUsername, password };
}
