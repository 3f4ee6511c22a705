import "server-only";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { decidePatch, type PatchFacts } from "@/lib/features/content/sql/save-decision";
import { lockForSave, save, type Texts } from "@/lib/features/content/sql/save-steps";
import { ROW_BYTES } from "@/lib/limits/counted-texts";
import { store } from "@/lib/limits/storage-quota";

/** An outline that is null is removed; without a version the change is made on any. */
export type TextChange = Texts & Omit<PatchFacts, "setsOutline">;

/**
 * Saves a user's change of a piece with its revisions, in the transaction given or in one of its own. `saved` is null on a version
 * conflict: the text sent then becomes a revision without a version. The replaced text always has a revision. Undefined: the
 * piece is not there. Throws STORAGE_FULL and RATE_LIMITED, having written nothing: call it within `withinQuota`.
 */
export async function patchContent(
  userId: string,
  id: string,
  change: TextChange,
  db?: Db,
): Promise<{ was: number; saved: number | null } | undefined> {
  if (!db) return transaction((own) => patchContent(userId, id, change, own));
  const { title, body, outline } = change;
  const [piece, texts] = [
    { userId, id },
    { title, body, outline },
  ];
  const locked = await lockForSave(db, piece, texts);
  if (!locked) return undefined;
  const was = locked.version;
  const decision = decidePatch(locked, { ...change, setsOutline: outline !== undefined });
  // The new text counts in the piece and in a revision, the old one only in its revision. A refusal costs no write.
  if (decision.revision) await store(db, userId, 2 * (ROW_BYTES + locked.bytes));
  await save(db, piece, texts, { ...decision, was });
  return { was, saved: decision.update?.version ?? null };
}
