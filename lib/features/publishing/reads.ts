import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { siteCredentialsOf } from "@/lib/features/account/reads";
import { rememberSite } from "@/lib/features/account/writes/settings";
import { ownedProject } from "@/lib/features/projects/reads";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import { type DiscoveredSite, discoverSite } from "@/lib/wordpress/discover";

/** The person's site, ready for calls. */
export type Site = DiscoveredSite & { client: WordPressClient };

/** Finds the site at the stored address. Throws MISSING_CREDENTIALS or CONNECTION_ERROR; nothing was sent to it yet. */
export async function connectSite(actor: Actor): Promise<Site> {
  const { url, username, password } = await siteCredentialsOf(actor);
  const site = await discoverSite(url);
  await rememberSite(actor, url, site.apiRoot);
  return { ...site, client: createWordPressClient({ apiRoot: site.apiRoot, username, password }) };
}

/** All categories of the person's site. */
export async function listCategories(actor: Actor) {
  const { client } = await connectSite(actor);
  return client.listCategories();
}

/** A look at the site with the stored credentials: may this account publish, and what may it not. */
export async function testConnection(actor: Actor) {
  const { client, home } = await connectSite(actor);
  const { roles, canPublish, warnings } = await client.checkConnection();
  if (!canPublish) throw new AppError("WORDPRESS_FORBIDDEN", { message: warnings[0] });
  return { ok: true, site: home, roles, warnings };
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

/** One's own piece as publishing needs it, or NOT_FOUND. */
export async function pieceToPublish(actor: Actor, id: string) {
  const piece = await prisma.contentPiece.findFirst({ where: { id, userId: actor.userId }, select: PIECE });
  if (!piece) throw new AppError("NOT_FOUND", { message: "This piece was not found. It may have been deleted." });
  return piece;
}

export type PieceToPublish = Awaited<ReturnType<typeof pieceToPublish>>;

/** Every publishable piece of one's own project, oldest first, so that the newest ends up on top of the site. */
export async function publishablePieces(actor: Actor, projectId: number) {
  await ownedProject(actor, projectId);
  return prisma.contentPiece.findMany({
    where: { projectId, userId: actor.userId, hasBody: true, isTitleOnly: false },
    select: { id: true, title: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}
