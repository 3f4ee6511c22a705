import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { ownedContent } from "@/lib/features/content/reads";
import { deleteUnfinished, type SectionPlace, saveSection, selectUnfinished } from "@/lib/features/generation/sql";
import type { UnfinishedCall } from "@/lib/features/generation/writes/write-section";

/** Drops what is unfinished. The piece's text stays as it is. */
export async function dropUnfinished(actor: Actor, id: string): Promise<void> {
  await ownedContent(actor, id);
  await deleteUnfinished(prisma, id);
}

/**
 * The section at this place as an earlier call has left it, and what keeps it if the next one breaks off too. A section that
 * was gone on from and broke off again is begun anew.
 */
export async function unfinishedAt(pieceId: string, { outlineHash, position }: SectionPlace): Promise<UnfinishedCall> {
  const unfinished = await selectUnfinished(prisma, pieceId);
  const isHere = unfinished?.outlineHash === outlineHash && unfinished.position === position;
  const kept = isHere ? unfinished.text : "";
  return {
    kept,
    begun: unfinished?.breaks === 1 ? kept : "",
    onBroken: (section, usage) => saveSection(prisma, pieceId, { outlineHash, position }, section, usage, true),
  };
}
