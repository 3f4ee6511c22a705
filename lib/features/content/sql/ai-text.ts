import "server-only";
import type { Db } from "@/lib/db/prisma";
import { decideAiText } from "@/lib/features/content/sql/save-decision";
import { type AiUsage, lockForSave, save } from "@/lib/features/content/sql/save-steps";
import { ROW_BYTES } from "@/lib/limits/counted-texts";
import { storeAnyway } from "@/lib/limits/storage-quota";

export type AiText = {
  field: "outline" | "body";
  text: string;
  /** The piece's textVersion when the work began; null keeps the text as a revision whatever the version is now. */
  baseTextVersion: number | null;
  usage: AiUsage;
};

/**
 * Saves an AI text within a transaction, into the piece only if body and outline are still those it was written from, else as a
 * revision without a version. True when the piece has it; undefined when the piece is gone.
 */
export async function saveAiText(
  db: Pick<Db, "$queryRaw" | "$executeRaw">,
  userId: string,
  id: string,
  { field, text, baseTextVersion, usage }: AiText,
): Promise<boolean | undefined> {
  const [piece, texts] = [{ userId, id }, { [field]: text }];
  const locked = await lockForSave(db, piece, texts);
  if (!locked) return undefined;
  const decision = decideAiText(locked, { field, baseTextVersion });
  await save(db, piece, texts, { ...decision, was: locked.version, usage });
  // The new text counts in the piece and in a revision, the old one only in its revision.
  await storeAnyway(db, userId, 2 * (ROW_BYTES + locked.bytes));
  return decision.update !== null;
}
