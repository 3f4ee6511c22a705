import { SHORT_TEXT } from "@/lib/features/content/rules";
import { type ContentStatus, isLive } from "@/lib/features/content/states";

/** What a save depends on: the piece under its lock, and the texts it would have next. Lengths are in characters. */
export type Locked = {
  version: number;
  textVersion: number;
  status: ContentStatus;
  isTitleOnly: boolean;
  isOutline: boolean;
  bodyLength: number;
  outlineLength: number | null;
  /** The revision of this version, or null. */
  revision: KnownRevision | null;
  /** More revisions than the newest that always stay. */
  hasManyRevisions: boolean;
  next: {
    /** An empty outline is the same as none. */
    differs: boolean;
    bodyLength: number;
    outlineLength: number | null;
    hasBody: boolean;
    hasOutline: boolean;
  };
};

/** `isRecent`: within EDIT_SESSION_GAP. `hasAside`: a text was set aside after it by a conflict. */
export type KnownRevision = {
  id: string;
  author: "user" | "ai";
  isRecent: boolean;
  isPublished: boolean;
  hasAside: boolean;
  longestBody: number | null;
  longestOutline: number | null;
};

/** A user's change as far as the decision depends on it. Without a version it is made on any. */
export type PatchFacts = {
  setsOutline: boolean;
  status?: ContentStatus | undefined;
  isTitleOnly?: boolean | undefined;
  isOutline?: boolean | undefined;
  version?: number | undefined;
};

/** `into`: the id of the revision that it replaces, or null. The longest lengths are those of its edit session. */
export type KeptRevision = {
  version: number | null;
  into: string | null;
  longestBody: number | null;
  longestOutline: number | null;
};

/** `update` is null if the piece stays as it is, `revision` if there is no text to keep. */
export type Decision = {
  update: { version: number; status: ContentStatus; isTitleOnly: boolean; isOutline: boolean } | null;
  keepsReplaced: boolean;
  revision: KeptRevision | null;
  prunes: boolean;
};

/**
 * Decides a user's change. One made on another version leaves the piece alone, and its text becomes a revision without a
 * version. A live piece keeps its status.
 */
export function decidePatch(piece: Locked, change: PatchFacts): Decision {
  const { next } = piece;
  const isCurrent = change.version === undefined || change.version === piece.version;
  const version = piece.version + Number(next.differs);
  const sitting = isCurrent && change.version !== undefined ? openSitting(piece.revision) : null;
  const update = {
    version,
    status: isLive(piece) ? piece.status : (change.status ?? piece.status),
    isTitleOnly: !next.hasBody && (change.isTitleOnly ?? piece.isTitleOnly),
    isOutline: next.hasOutline && (change.setsOutline || (change.isOutline ?? piece.isOutline)),
  };
  const revision = {
    version: isCurrent ? version : null,
    into: sitting && !losesHalf(piece) && !losesLongest(piece, sitting) ? sitting.id : null,
    longestBody: longest(sitting?.longestBody, sitting && piece.bodyLength, next.bodyLength),
    longestOutline: longest(sitting?.longestOutline, sitting && piece.outlineLength, next.outlineLength),
  };
  return {
    update: isCurrent ? update : null,
    keepsReplaced: isCurrent && next.differs && !piece.revision,
    revision: next.differs ? revision : null,
    prunes: next.differs && !revision.into && piece.hasManyRevisions,
  };
}

/**
 * Decides on an AI text, which is always kept. It is the piece's text only if that is still the one it was written from;
 * with `baseTextVersion` null it never is.
 */
export function decideAiText(
  piece: Locked,
  { field, baseTextVersion }: { field: "outline" | "body"; baseTextVersion: number | null },
): Decision {
  const isCurrent = piece.textVersion === baseTextVersion;
  const version = piece.version + 1;
  const update = {
    version,
    status: piece.status,
    isTitleOnly: !piece.next.hasBody && piece.isTitleOnly,
    isOutline: piece.isOutline || field === "outline",
  };
  return {
    update: isCurrent ? update : null,
    keepsReplaced: isCurrent && !piece.revision,
    revision: { version: isCurrent ? version : null, into: null, longestBody: null, longestOutline: null },
    prunes: piece.hasManyRevisions,
  };
}

/** The revision of an edit session that is still open. After a conflict with another tab both texts stay. */
function openSitting(revision: KnownRevision | null): KnownRevision | null {
  if (revision?.author !== "user" || !revision.isRecent) return null;
  return revision.isPublished || revision.hasAside ? null : revision;
}

/** The body or the outline shrinks to less than half its characters. */
function losesHalf({ bodyLength, outlineLength, next }: Locked): boolean {
  return 2 * next.bodyLength < bodyLength || 2 * (next.outlineLength ?? 0) < (outlineLength ?? 0);
}

/**
 * The piece has the longest body or outline of its sitting, and the next one has less than nine tenths of that. A revision
 * that begins for this reason is much shorter itself, so later saves may replace it.
 */
function losesLongest({ bodyLength, outlineLength, next }: Locked, sitting: KnownRevision): boolean {
  return (
    isMuchShorter(sitting.longestBody, bodyLength, next.bodyLength) ||
    isMuchShorter(sitting.longestOutline, outlineLength ?? 0, next.outlineLength ?? 0)
  );
}

function isMuchShorter(longestKept: number | null, kept: number, next: number): boolean {
  const most = Math.max(longestKept ?? 0, kept);
  const isShort = (length: number) => 10 * length < 9 * most;
  return most >= SHORT_TEXT && !isShort(kept) && isShort(next);
}

/** The highest of the known lengths; null without any. */
function longest(...lengths: (number | null | undefined)[]): number | null {
  const known = lengths.filter((length) => typeof length === "number");
  return known.length > 0 ? Math.max(...known) : null;
}
