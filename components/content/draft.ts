import { mergeTexts } from "@/components/content/merge-texts";
import type { ContentOut, UpdateContentInput } from "@/lib/features/content/schema";
import { type ContentStatus, isEditable, LOCKED_STATUSES } from "@/lib/features/content/states";
import { nfc } from "@/lib/utils/normal-form";
import { isBlank } from "@/lib/utils/text";

export type DraftFields = { title: string; body: string; outline: string; status: ContentStatus };

/** Unsaved edits, the version of the piece they are based on, and its fields at that version, where they are known. */
export type Draft = { version: number | null; edits: Partial<DraftFields>; base?: DraftFields };

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
  const edits = { ...draft.edits, [field]: value };
  if (draft.version === null) return { version: piece.version, edits, base: fieldsOf(piece, EMPTY_DRAFT) };
  return { ...draft, edits };
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
  return left.length === 0 ? EMPTY_DRAFT : { version: saved.version, edits, base: fieldsOf(saved, EMPTY_DRAFT) };
}

/**
 * The edits on a version that was saved elsewhere meanwhile: texts are merged line by line. Null if both have changed the same
 * lines or the title, or if the fields of the first version are not known.
 */
export function mergedDraft({ base, edits }: Draft, theirs: ContentOut): Draft | null {
  if (!base) return null;
  const saved = fieldsOf(theirs, EMPTY_DRAFT);
  const merged: Partial<DraftFields> = {};
  for (const [name, mine] of Object.entries(edits)) {
    const field = name as keyof DraftFields;
    if (isSameText(base, field, mine) || isSameText(saved, field, mine)) continue;
    if (field === "status" || isSameText(base, field, saved[field])) Object.assign(merged, { [field]: mine });
    else if (field === "title") return null;
    else {
      const result = mergeTexts(base[field], asStored(mine), saved[field]);
      if (!("text" in result)) return null;
      merged[field] = result.text;
    }
  }
  return { version: theirs.version, edits: merged, base: saved };
}

/**
 * After our own AI call changed one field: edits of other fields are based on the new version. An edit of that field keeps
 * the old version, so that saving it is a conflict with the AI's text.
 */
export function afterOwnChange(draft: Draft, changed: keyof DraftFields, saved: ContentOut): Draft {
  if (draft.version === null || changed in draft.edits || saved.version !== draft.version + 1) return draft;
  return { ...draft, version: saved.version, base: fieldsOf(saved, EMPTY_DRAFT) };
}
