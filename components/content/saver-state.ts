import {
  type BesideText,
  type Draft,
  type DraftFields,
  EMPTY_DRAFT,
  editedFields,
  isBesideText,
} from "@/components/content/draft";
import { ApiError } from "@/lib/client/api";
import { type ContentOut, pieceFields, type UpdateContentInput } from "@/lib/features/content/schema";
import { isBlank } from "@/lib/utils/text";

export type Field = keyof DraftFields;
export type Changes = Partial<DraftFields>;

/** A newer version that could not be merged with the edits: both have changed the same lines. */
export type Conflict = { theirs: ContentOut };

/** What the screen shows. Replaced at each change, never altered. */
export type SaverState = {
  /** The newest version that is known here. */
  piece: ContentOut;
  draft: Draft;
  /** True while a text is being typed that `draft` does not have yet. */
  isTyping: boolean;
  /** Whether a save is under way, and whether the user has asked for it. */
  saving: "no" | "asked" | "automatic";
  /** Why the last automatic save failed; null after one that did not. */
  failure: unknown;
  conflict: Conflict | null;
  titleError: string | undefined;
  /** True if something was saved since the editor was opened. */
  hasSaved: boolean;
};

export type SaverOptions = {
  send: (input: UpdateContentInput, how: { isLast: boolean }) => Promise<ContentOut>;
  /** Keeps the unsaved edits in this browser, or erases them. Resolves to whether the browser has done it. */
  keep: (draft: Draft | null) => Promise<boolean>;
  /** Called with the error of the first automatic save that fails, and with null once one has succeeded again. */
  onFailure: (error: unknown) => void;
};

export function isChanged(piece: ContentOut, draft: Draft): boolean {
  return Object.keys(editedFields(piece, draft)).length > 0;
}

/** A change of the status alone leaves the version. */
export function isNewer(one: ContentOut, other: ContentOut): boolean {
  return one.version > other.version || (one.version === other.version && one.updatedAt > other.updatedAt);
}

export function pick(fields: Changes, names: Field[]): Changes {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name as Field)));
}

/** The fields that the server does not take as they are, with their values. */
export function refusedFields(error: unknown, { edits }: Draft): [Field, string][] {
  if (!(error instanceof ApiError)) return [];
  const names = error.type === "STATUS_LOCKED" ? ["status"] : Object.keys(error.fields);
  return (Object.entries(edits) as [Field, string][]).filter(([field]) => names.includes(field));
}

/** The changed fields but those that cannot be saved yet: a blank title, and values that the server refuses or has refused. */
export function savableFields({ piece, draft }: SaverState, refused: ReadonlyMap<Field, string>): Field[] {
  const changed = Object.entries(editedFields(piece, draft)) as [Field, string][];
  return changed
    .filter(([field, value]) => !(field === "title" && isBlank(value)) && refused.get(field) !== value)
    .filter(([field, value]) => !isBesideText(field) || problemOf(field, value) === undefined)
    .map(([field]) => field);
}

/** Why the server would refuse what stands beside the text. */
export function problemOf(field: keyof BesideText, value: string): string | undefined {
  return pieceFields.shape[field].safeParse(value).error?.issues[0]?.message;
}

/** Browsers send a page's last words if all of them together have at most 65,536 bytes. */
const KEEPALIVE_BYTES = 60_000;

export function isSmall({ edits }: Draft): boolean {
  return new Blob([JSON.stringify(edits)]).size <= KEEPALIVE_BYTES;
}

/** The state before the first edit. */
export function firstState(piece: ContentOut): SaverState {
  return {
    piece,
    draft: EMPTY_DRAFT,
    isTyping: false,
    saving: "no",
    failure: null,
    conflict: null,
    titleError: undefined,
    hasSaved: false,
  };
}
