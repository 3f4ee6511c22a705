import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { findProjectPieces, ownedContentFields } from "@/lib/features/content/reads";
import { PUBLISHABLE } from "@/lib/features/publishing/rules";

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
  topic: { select: { name: true } },
  posts: true,
} as const;

/** A piece with what is known of it on each site. */
export function pieceToPublish(actor: Actor, id: string) {
  return ownedContentFields(actor, id, PIECE);
}

export type PieceToPublish = Awaited<ReturnType<typeof pieceToPublish>>;
export type StoredPost = PieceToPublish["posts"][number];
