import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { findPiecesWith, findProjectPieces, pieceNotFound } from "@/lib/features/content/reads";
import { PUBLISHABLE } from "@/lib/features/publishing/rules";
import type { BulkVerb } from "@/lib/features/publishing/states";

/** The publishable pieces of the actor's project, oldest first, so that the newest ends up on top of the site. */
export function publishablePieces(actor: Actor, projectId: number) {
  return findProjectPieces(actor, projectId, PUBLISHABLE);
}

/** The pieces that a job is about; chosen ones that are not in the project any more are left out. */
export async function piecesForJob(
  actor: Actor,
  projectId: number,
  { verb, contentIds }: { verb: BulkVerb; contentIds: string[] },
) {
  if (verb === "publish_all") return publishablePieces(actor, projectId);
  if (verb === "update_all") return findProjectPieces(actor, projectId, { ...PUBLISHABLE, status: "wp_published" });
  return findProjectPieces(actor, projectId, { id: { in: contentIds } });
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

/** Those of the pieces that are the actor's, with what is known of them on each site. */
export function piecesToPublish(actor: Actor, ids: string[]) {
  return findPiecesWith(actor, ids, PIECE);
}

export type PieceToPublish = Awaited<ReturnType<typeof piecesToPublish>>[number];
export type StoredPost = PieceToPublish["posts"][number];

/** Throws NOT_FOUND. */
export async function assertOwnPiece(actor: Actor, id: string): Promise<void> {
  const found = await findPiecesWith(actor, [id], { id: true });
  if (found.length === 0) throw pieceNotFound();
}
