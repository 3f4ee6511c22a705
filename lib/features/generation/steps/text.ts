import "server-only";
import { finishedPart } from "@/lib/ai/prompts/finished-part";
import { sectionText } from "@/lib/ai/prompts/section";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { type Db, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { saveAiText } from "@/lib/features/content/sql/shared";
import { type QueuedPiece, queuedContext } from "@/lib/features/generation/reads";
import { joinSections, ledSection, NEWER_EDIT, stockPhraseNote } from "@/lib/features/generation/rules";
import {
  deleteSections,
  hashOutline,
  isShownIn,
  markShown,
  queuedContextSql,
  saveSection,
  selectSections,
  selectUnfinished,
} from "@/lib/features/generation/sql";
import { unfinishedAt } from "@/lib/features/generation/writes/unfinished";
import {
  nextPosition,
  plannedSections,
  totalUsage,
  writeSection,
} from "@/lib/features/generation/writes/write-section";
import { whileShowing } from "@/lib/features/work/writes/drafts";
import { type Claim, type Kind, type Made, noteSection } from "@/lib/features/work/writes/run";
import { UNFINISHED_MARK } from "@/lib/markdown/losses";

/** content_generation: one call a section, each saved before the next begins; the last one puts them together. */
export const TEXTS: Kind<QueuedPiece> = {
  jobType: "content_generation",
  context: queuedContextSql,
  read: queuedContext,
  work: writeNext,
  onFailed: showUnfinished,
};

async function writeNext(claim: Claim<QueuedPiece>): Promise<Made> {
  const { piece, provider } = claim.context;
  const putTogether = { next: "done", save: (db: Db, isHeld: boolean) => finish(db, claim, isHeld) } as const;
  if (isEditedSince(claim) || (await hasWholeText(piece))) return putTogether;
  const outlineHash = hashOutline(piece.outline);
  const planned = plannedSections(piece.outline ?? "");
  const count = planned.length;
  const saved = await selectSections(prisma, piece.id, outlineHash);
  const position = nextPosition(saved);
  if (position >= count) return putTogether;
  const ref = { itemId: claim.item.id, jobType: TEXTS.jobType, token: claim.item.token };
  const heading = planned[position]?.heading ?? "";
  await noteSection(claim.item.userId, ref, { number: position + 1, of: count, heading, outlineHash });
  const unfinished = await unfinishedAt(piece.id, { outlineHash, position });
  const { section, usage } = await whileShowing(claim.item, async ({ add, clear }) => {
    const listener = { onSection: clear, onDelta: add };
    return unstopped(writeSection(await provider(), claim.context, saved, { ...unfinished, ...listener }));
  });
  const isLast = nextPosition([...saved, { position }]) >= count;
  return {
    next: isLast ? "done" : "more",
    name: `Section ${position + 2} of ${count}`,
    tokens: usage,
    baseTextVersion: piece.textVersion,
    async save(db, isHeld) {
      await saveSection(db, piece.id, { outlineHash, position }, section, usage);
      return isLast ? finish(db, claim, isHeld) : null;
    },
  };
}

/** Only a direct call can be stopped. */
async function unstopped<T>(made: Promise<T | null>): Promise<T> {
  const section = await made;
  if (section === null) throw new Error("A queue's section was stopped.");
  return section;
}

/** Joins a post's sections. Returns a note for the user, or null. */
async function finish(db: Db, claim: Claim<QueuedPiece>, isHeld: boolean): Promise<string | null> {
  if (!isHeld) return null;
  const { item, context } = claim;
  const { piece } = context;
  const isEdited = isEditedSince(claim);
  // After an edit the sections of the old outline are still joined: the base version makes them a revision.
  const sections = await selectSections(db, piece.id, isEdited ? null : hashOutline(piece.outline));
  if (sections.length === 0) return null;
  if (!isEdited && (await hasWholeText(piece))) return null;
  const text = joinSections(sections);
  const baseTextVersion = item.baseTextVersion ?? piece.textVersion;
  const body = { field: "body", text, baseTextVersion, usage: totalUsage(sections) } as const;
  const isWritten = await saveAiText(db, item.userId, piece.id, body);
  await deleteSections(db, piece.id);
  return isWritten === false ? NEWER_EDIT : stockPhraseNote(findStockPhrases(text));
}

/** A body that only shows what a failed item had written is no text yet. */
async function hasWholeText({ id, hasBody, textVersion }: QueuedPiece["piece"]): Promise<boolean> {
  return hasBody && !(await isShownIn(prisma, id, textVersion));
}

/** Was the piece edited since its first section? */
function isEditedSince({ item, context }: Claim<QueuedPiece>): boolean {
  return item.baseTextVersion !== null && item.baseTextVersion !== context.piece.textVersion;
}

/**
 * Puts what there is of a text into its piece, marked, when its item has failed in the middle of a section. A retry goes on from
 * the sections as long as nobody has edited it.
 */
async function showUnfinished({ item, context: { piece } }: Claim<QueuedPiece>): Promise<void> {
  const outlineHash = hashOutline(piece.outline);
  await transaction(async (db) => {
    const unfinished = await selectUnfinished(db, piece.id);
    if (unfinished?.outlineHash !== outlineHash) return;
    const sections = await selectSections(db, piece.id, outlineHash);
    const place = { heading: unfinished.heading, headingIndex: unfinished.position, textSoFar: joinSections(sections) };
    const part = ledSection(unfinished.heading, sectionText(finishedPart(unfinished.text), place));
    const text = `${joinSections([...sections, part])}\n\n${UNFINISHED_MARK}`;
    const body = { field: "body", text, baseTextVersion: piece.textVersion, usage: totalUsage(sections) } as const;
    if (await saveAiText(db, item.userId, piece.id, body)) await markShown(db, piece.id);
  });
}
