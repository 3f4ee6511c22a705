import { type Choice, isClash, type MergePart, mergedText, mergeTexts } from "@/components/content/merge-texts";
import type { ContentOut, PieceFields, UpdateContentInput } from "@/lib/features/content/schema";
import { CONTENT_STATUSES, type ContentStatus, isEditable, LIVE_STATUSES } from "@/lib/features/content/states";
import { nfc } from "@/lib/utils/normal-form";
import { isBlank } from "@/lib/utils/text";
import { textHash } from "@/lib/utils/text-hash";

export type DraftFields = { title: string; body: string; outline: string; status: ContentStatus } & BesideText;
/** What stands beside the text, where the last save wins. */
export type BesideText = Record<keyof PieceFields, string>;

/** Unsaved edits, the version of the piece they are based on, and its fields at that version, where they are known. */
export type Draft = {
  version: number | null;
  edits: Partial<DraftFields>;
  base?: DraftFields;
  /** Marks of what was sent and not answered: the server may have it. */
  sent?: string[];
};

export const EMPTY_DRAFT: Draft = { version: null, edits: {} };

/**
 * Restores a draft from this browser's storage, whose content is not trusted; null if it no longer changes the piece. A
 * live piece's status is only set by publishing.
 */
export function draftFromKept(stored: unknown, piece: ContentOut): Draft | null {
  const { version, edits, base, sent } = (stored ?? {}) as Partial<Record<keyof Draft, unknown>>;
  if (typeof version !== "number") return null;
  const { status, ...texts } = keptFields(edits);
  const isSettable = status && isEditable(status) && !LIVE_STATUSES.includes(piece.status);
  const began = keptFields(base);
  const draft: Draft = {
    version,
    edits: isSettable ? { ...texts, status } : texts,
    ...(isWhole(began) ? { base: { ...fieldsOf(piece, EMPTY_DRAFT), ...began } } : {}),
    ...(Array.isArray(sent) ? { sent: sent.filter((mark) => typeof mark === "string") } : {}),
  };
  return Object.keys(editedFields(piece, draft)).length > 0 ? draft : null;
}

function keptFields(stored: unknown): Partial<DraftFields> {
  if (!stored || typeof stored !== "object") return {};
  const { title, body, outline, status, ...rest } = stored as Record<string, unknown>;
  const beside = BESIDE_TEXT.filter((field) => typeof rest[field] === "string");
  return {
    ...Object.fromEntries(beside.map((field) => [field, rest[field]])),
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof body === "string" ? { body } : {}),
    ...(typeof outline === "string" ? { outline } : {}),
    ...(CONTENT_STATUSES.some((each) => each === status) ? { status: status as ContentStatus } : {}),
  };
}

function isWhole(fields: Partial<DraftFields>): fields is DraftFields {
  return FIELDS.every((field) => fields[field] !== undefined);
}

const FIELDS = ["title", "body", "outline", "status"] as const;
const BESIDE_TEXT = ["focusKeyword", "metaTitle", "metaDescription", "slug", "excerpt"] as const;

export function isBesideText(field: keyof DraftFields): field is keyof BesideText {
  return BESIDE_TEXT.some((each) => each === field);
}

/** The fields the editor shows: the stored piece with the unsaved edits. */
export function fieldsOf(piece: ContentOut, draft: Draft): DraftFields {
  const { title, body, status } = piece;
  const beside = Object.fromEntries(BESIDE_TEXT.map((field) => [field, piece[field] ?? ""])) as BesideText;
  return { title, body, status, outline: piece.outline ?? "", ...beside, ...draft.edits };
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
export function editedFields(piece: ContentOut, draft: Draft): Partial<DraftFields> {
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

/** How many unanswered saves are remembered. Retries are up to a minute apart, so these last for hours. */
const MAX_SENT = 200;

/** Adds the marks of changes that are about to be sent: the server may carry them out, and its answer be lost. */
export function withSent(draft: Draft, changes: Partial<DraftFields>): Draft {
  const marks = Object.entries(changes).map(([field, value]) => markOf(field, value));
  return { ...draft, sent: [...new Set([...(draft.sent ?? []), ...marks])].slice(-MAX_SENT) };
}

function markOf(field: string, value: string): string {
  return `${field}:${textHash(asStored(value))}`;
}

/** True if the server has saved what was sent, though its answer was lost, and nothing else has changed since. */
export function isOwnSave({ base, sent = [] }: Draft, theirs: ContentOut): boolean {
  const saved = fieldsOf(theirs, EMPTY_DRAFT);
  return (
    base !== undefined &&
    FIELDS.every((field) => isSameText(base, field, saved[field]) || sent.includes(markOf(field, saved[field])))
  );
}

/** Drops sent edits after a save; newer ones are based on the saved version. */
export function afterSave(draft: Draft, sent: Partial<DraftFields>, saved: ContentOut): Draft {
  const left = Object.entries(draft.edits).filter(([field, value]) => sent[field as keyof DraftFields] !== value);
  const edits = Object.fromEntries(left) as Partial<DraftFields>;
  return left.length === 0 ? EMPTY_DRAFT : { version: saved.version, edits, base: fieldsOf(saved, EMPTY_DRAFT) };
}

/** An edited field, merged with a version that was saved elsewhere. */
export type FieldMerge = { field: keyof DraftFields; parts: MergePart[] };

/** Merges the edited fields with another version, texts line by line. Edits that make no difference are left out. */
export function mergesOf({ base, edits, sent = [] }: Draft, theirs: ContentOut): FieldMerge[] {
  const saved = fieldsOf(theirs, EMPTY_DRAFT);
  const merges: FieldMerge[] = [];
  for (const [name, mine] of Object.entries(edits)) {
    const field = name as keyof DraftFields;
    if (base && isSameText(base, field, mine)) continue;
    if (isSameText(saved, field, mine)) continue;
    const isAsBefore = base && isSameText(base, field, saved[field]);
    // An edit of the user's own earlier text replaces it.
    if (field === "status" || isBesideText(field) || isAsBefore || sent.includes(markOf(field, saved[field]))) {
      merges.push({ field, parts: [{ lines: [mine] }] });
    } else if (field === "title") merges.push({ field, parts: [{ mine: [mine], theirs: [saved.title] }] });
    else merges.push({ field, parts: mergeTexts(base?.[field], asStored(mine), saved[field]) });
  }
  return merges;
}

/**
 * The edits on a version that was saved elsewhere meanwhile. Null if both have changed the same lines or the title, or if the
 * fields of the first version are not known.
 */
export function mergedDraft(draft: Draft, theirs: ContentOut): Draft | null {
  if (!draft.base) return null;
  const merges = mergesOf(draft, theirs);
  return merges.some(({ parts }) => parts.some(isClash)) ? null : chosenDraft(merges, theirs);
}

/** Merges edits that were kept elsewhere into the piece as it is now; null if both have changed the same lines. */
export function restoredDraft(kept: Draft, piece: ContentOut): Draft | null {
  return kept.version === piece.version ? { ...kept, base: fieldsOf(piece, EMPTY_DRAFT) } : mergedDraft(kept, piece);
}

/** True if these edits, made some time ago, still change the piece. What was saved with them since does not count. */
export function isStillMissing(draft: Draft, piece: ContentOut): boolean {
  const onPiece = draft.version === piece.version ? draft : (mergedDraft(draft, piece) ?? draft);
  return Object.keys(editedFields(piece, onPiece)).length > 0;
}

/** The edits on another version, with a choice for each clash of a field. */
export function chosenDraft(
  merges: FieldMerge[],
  theirs: ContentOut,
  choose?: (field: keyof DraftFields, clash: number) => Choice,
): Draft {
  const edits = Object.fromEntries(
    merges.map(({ field, parts }) => [field, mergedText(parts, choose && ((clash) => choose(field, clash)))]),
  );
  return { version: theirs.version, edits, base: fieldsOf(theirs, EMPTY_DRAFT) };
}

/**
 * Called after our own AI call has changed one field: edits of other fields are based on the new version. An edit of that
 * field keeps the old version, so that saving it is a conflict with the AI's text.
 */
export function afterOwnChange(draft: Draft, changed: keyof DraftFields, saved: ContentOut): Draft {
  if (draft.version === null || changed in draft.edits || saved.version !== draft.version + 1) return draft;
  return { ...draft, version: saved.version, base: fieldsOf(saved, EMPTY_DRAFT) };
}
