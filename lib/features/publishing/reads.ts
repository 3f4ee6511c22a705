import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { siteCredentialsOf } from "@/lib/features/account/settings/reads";
import { rememberSite } from "@/lib/features/account/settings/writes/settings";
import { findProjectPieces, ownedContentFields } from "@/lib/features/content/reads";
import { PUBLISHABLE } from "@/lib/features/publishing/rules";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { type DiscoveredSite, discoverSite } from "@/lib/wordpress/discover";

/** The person's site, ready for calls. */
export type Site = DiscoveredSite & { client: WordPressClient };

/** Finds the site at the stored address. Throws MISSING_CREDENTIALS or CONNECTION_ERROR; writes nothing to it. */
export async function connectSite(actor: Actor): Promise<Site> {
  const { url, username, password } = await siteCredentialsOf(actor);
  const site = await discoverSite(url);
  await rememberSite(actor, url, site.apiRoot);
  return { ...site, client: createWordPressClient({ apiRoot: site.apiRoot, username, password }) };
}

export async function listCategories(actor: Actor) {
  const { client } = await connectSite(actor);
  return client.listCategories();
}

/** Checks with the stored credentials whether this account may publish. */
export async function testConnection(actor: Actor) {
  const { client, home } = await connectSite(actor);
  const { roles, canPublish, warnings } = await client.checkConnection();
  if (!canPublish) throw new AppError("WORDPRESS_FORBIDDEN", { message: warnings[0] });
  return { ok: true, site: home, roles, warnings };
}

/** The publishable pieces of the actor's project, oldest first, so that the newest ends up on top of the site. */
export function publishablePieces(actor: Actor, projectId: number) {
  return findProjectPieces(actor, projectId, PUBLISHABLE);
}

const PIECE = {
  id: true,
  version: true,
  title: true,
  body: true,
  outline: true,
  status: true,
  isTitleOnly: true,
  hasBody: true,
  wpSite: true,
  wpPostId: true,
  wpCategoryId: true,
  wpRemoteHash: true,
  wpUnansweredHash: true,
  wpSentHash: true,
  wpSentSource: true,
  wpRenderer: true,
  topic: { select: { name: true } },
} as const;

export function pieceToPublish(actor: Actor, id: string) {
  return ownedContentFields(actor, id, PIECE);
}

export type PieceToPublish = Awaited<ReturnType<typeof pieceToPublish>>;
