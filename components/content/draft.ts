import type { ContentOut, UpdateContentInput } from "@/lib/features/content/schema";
import { type ContentStatus, isEditable, LOCKED_STATUSES } from "@/lib/features/content/states";
import { nfc } from "@/lib/utils/normal-form";
import { isBlank } from "@/lib/utils/text";

export type DraftFields = { title: string; body: string; outline: string; status: ContentStatus };

/** Unsaved edits, and the version of the piece they are based on. */
export type Draft = { version: number | null; edits: Partial<DraftFields> };

export const EMPTY_DRAFT: Draft = { version: null, edits: {} };

/**
 * Restores a draft from this browser's storage, whose content is not trusted; null if it no longer changes the piece. A
 * live piece's status is only set by publishing.
 */
export function draftFromKept(stored: unknown, piece: ContentOut): Draft | null {
  const { version, edits } = (stored ?? {}) as { version?: unknown; edits?: Record<string, unknown> };
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

/** The fields the editor shows: the stored piece with the unsaved edits. */
export function fieldsOf(piece: ContentOut, draft: Draft): DraftFields {
  const { title, body, status } = piece;
  return { title, body, status, outline: piece.outline ?? "", ...draft.edits };
}

/** Adds an edit. The version stays that of the first edit, so that a newer one is a conflict. */
export function withEdit<F extends keyof DraftFields>(
  draft: Draft,
  piece: ContentOut,
  field: F,
  value: DraftFields[F],
): Draft {
  return { version: draft.version ?? piece.version, edits: { ...draft.edits, [field]: value } };
}

/** The fields that differ from the stored piece. Surrounding white space, which is not stored, makes no difference. */
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

/** The body of a PATCH: the changes, the flags they imply, and the version they are based on. */
export function patchOf(piece: ContentOut, draft: Draft, changes: Partial<DraftFields>): UpdateContentInput {
  const becomesFull = piece.isTitleOnly && !isBlank(changes.body);
  return {
    ...changes,
    ...(becomesFull ? { isTitleOnly: false } : {}),
    ...(isBlank(changes.outline) ? {} : { isOutline: true }),
    version: draft.version ?? piece.version,
  };
}

/** After a save: sent edits are dropped, newer ones are based on the saved version. */
export function afterSave(draft: Draft, sent: Partial<DraftFields>, saved: ContentOut): Draft {
  const left = Object.entries(draft.edits).filter(([field, value]) => sent[field as keyof DraftFields] !== value);
  const edits = Object.fromEntries(left) as Partial<DraftFields>;
  return left.length === 0 ? EMPTY_DRAFT : { version: saved.version, edits };
}

/**
 * After our own AI call changed one field: edits of other fields are based on the new version. An edit of that field keeps
 * the old version, so that saving it is a conflict with the AI's text.
 */
export function afterOwnChange(draft: Draft, changed: keyof DraftFields, saved: ContentOut): Draft {
  if (draft.version === null || changed in draft.edits || saved.version !== draft.version + 1) return draft;
  return { ...draft, version: saved.version };
}
