import type { ContentOut, UpdateContentInput } from "@/lib/features/content/schema";
import { type ContentStatus, isEditable, LOCKED_STATUSES } from "@/lib/features/content/states";
import { nfc } from "@/lib/utils/normal-form";
import { isBlank } from "@/lib/utils/text";

export type DraftFields = { title: string; body: string; outline: string; status: ContentStatus };

/** What a person has typed and not saved yet, and the version of the piece they began from. */
export type Draft = { version: number | null; edits: Partial<DraftFields> };

export const EMPTY_DRAFT: Draft = { version: null, edits: {} };

/**
 * A draft that was kept while nobody was signed in, as far as it still changes the piece; null when it does not. Whatever
 * this browser's storage holds is taken for nothing more than text. A live piece has its status from publishing alone.
 */
export function draftFromKept(kept: unknown, piece: ContentOut): Draft | null {
  const { version, edits } = (kept ?? {}) as { version?: unknown; edits?: Record<string, unknown> };
  if (typeof version !== "number" || !edits || typeof edits !== "object") return null;
  const { title, body, outline, status } = edits;
  const isSettable = isEditable(status) && !LOCKED_STATUSES.includes(piece.status);
  const draft: Draft = {
    version,
    edits: {
      ...(typeof title === "string" ? { title } : {}),
      ...(typeof body === "string" ? { body } : {}),
      ...(typeof outline === "string" ? { outline } : {}),
      ...(isSettable ? { status } : {}),
    },
  };
  return Object.keys(changesOf(piece, draft)).length > 0 ? draft : null;
}

/** The fields as the editor shows them: the stored piece with the unsaved edits on top. */
export function fieldsOf(piece: ContentOut, draft: Draft): DraftFields {
  const { title, body, status } = piece;
  return { title, body, status, outline: piece.outline ?? "", ...draft.edits };
}

/** One more edit. The version is the one the first edit was made on, so that a newer text elsewhere is noticed. */
export function withEdit<F extends keyof DraftFields>(
  draft: Draft,
  piece: ContentOut,
  field: F,
  value: DraftFields[F],
): Draft {
  return { version: draft.version ?? piece.version, edits: { ...draft.edits, [field]: value } };
}

/** The fields that differ from the stored piece; white space around a text is no difference, since it is not stored. */
export function changesOf(piece: ContentOut, draft: Draft): Partial<DraftFields> {
  const stored = fieldsOf(piece, EMPTY_DRAFT);
  const changed = Object.entries(draft.edits).filter(
    ([field, value]) => stored[field as keyof DraftFields] !== value && !isSameText(stored, field, value),
  );
  return Object.fromEntries(changed);
}

function isSameText(stored: DraftFields, field: string, value: string): boolean {
  return asStored(stored[field as keyof DraftFields]) === asStored(value);
}

function asStored(value: string): string {
  return nfc(value.trim());
}

/** The body of a PATCH: the changes, the flag that goes with them, and the version they were made on. */
export function patchOf(piece: ContentOut, draft: Draft, changes: Partial<DraftFields>): UpdateContentInput {
  const becomesFull = piece.isTitleOnly && !isBlank(changes.body);
  return {
    ...changes,
    ...(becomesFull ? { isTitleOnly: false } : {}),
    ...(isBlank(changes.outline) ? {} : { isOutline: true }),
    version: draft.version ?? piece.version,
  };
}

/** After a save: what was sent is no longer an edit, what was typed meanwhile stays and now follows the saved version. */
export function afterSave(draft: Draft, sent: Partial<DraftFields>, saved: ContentOut): Draft {
  const left = Object.entries(draft.edits).filter(([field, value]) => sent[field as keyof DraftFields] !== value);
  const edits = Object.fromEntries(left) as Partial<DraftFields>;
  return left.length === 0 ? EMPTY_DRAFT : { version: saved.version, edits };
}

/**
 * After an AI call of ours changed one field of the piece: edits of other fields follow the new version, an edit of that
 * field keeps the old one, so that saving it asks before it replaces the AI's text.
 */
export function afterOwnChange(draft: Draft, changed: keyof DraftFields, saved: ContentOut): Draft {
  if (draft.version === null || changed in draft.edits || saved.version !== draft.version + 1) return draft;
  return { ...draft, version: saved.version };
}
