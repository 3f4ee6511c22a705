import "server-only";
import { finishedPart } from "@/lib/ai/prompts/finished-part";
import { sectionText } from "@/lib/ai/prompts/section";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { type Actor, actorFromQueueRow } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { retryOnOutage } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { saveAiText } from "@/lib/features/content/sql/shared";
import { aiProviderOf, type PieceContext, pieceContext } from "@/lib/features/generation/reads";
import { joinSections, ledSection, NEWER_EDIT, stockPhraseNote } from "@/lib/features/generation/rules";
import {
  deleteSections,
  hashOutline,
  isShownIn,
  markShown,
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
import type { ItemRun, StepOutcome } from "@/lib/features/work/schema";
import { type Claim, settleAttempt } from "@/lib/features/work/sql/shared";
import { RecordedFailure } from "@/lib/features/work/writes/gate";
import { completeStep, makePaidCall, runItemStep, yieldClaim } from "@/lib/features/work/writes/run";
import { UNFINISHED_MARK } from "@/lib/markdown/losses";

/** Finds the next section to write. May run twice. */
export function prepareText(run: ItemRun): Promise<StepOutcome> {
  return runItemStep("prepare", "content_generation", run, async (claim) => {
    const context = await pieceContext(actorFromQueueRow(claim.item), claim.item.contentPieceId);
    if (await isFinished(claim, context)) return { next: "finish" };
    return nextStep(context);
  });
}

/** Writes and saves one section, unless it is saved already. May run twice. */
export function writeSectionItem(run: ItemRun, index: number): Promise<StepOutcome> {
  return runItemStep(`section ${index}`, "content_generation", run, async (claim) => {
    const actor = actorFromQueueRow(claim.item);
    const context = await pieceContext(actor, claim.item.contentPieceId);
    if (await isFinished(claim, context)) return { next: "finish" };
    const { piece } = context;
    const outlineHash = hashOutline(piece.outline);
    const saved = await selectSections(prisma, piece.id, outlineHash);
    const position = nextPosition(saved);
    if (position !== index - 1) return nextStep(context);
    const provider = await aiProviderOf(actor);
    const unfinished = await unfinishedAt(piece.id, { outlineHash, position });
    const writing = makePaidCall(
      { ...claim, access: provider.fingerprint },
      () => unstopped(writeSection(provider, context, saved, unfinished)),
      async ({ section, usage }) => {
        await retryOnOutage(() => saveSection(prisma, piece.id, { outlineHash, position }, section, usage));
        const isHeld = await retryOnOutage(() => settleAttempt(prisma, claim.ref, piece.textVersion));
        return isHeld ? nextStep(context) : yieldClaim(claim);
      },
    );
    return writing.catch(async (error: unknown) => {
      if (isFinal(error)) await showUnfinished(actor, context);
      throw error;
    });
  });
}

/** Has the item failed, with no try left? */
function isFinal(error: unknown): boolean {
  return error instanceof RecordedFailure && error.retryAfter === undefined;
}

/**
 * Puts what there is of a text into its piece, marked, when its item has failed in the middle of a section. A retry goes on from
 * the sections as long as nobody has edited it.
 */
async function showUnfinished(actor: Actor, { piece }: PieceContext): Promise<void> {
  const outlineHash = hashOutline(piece.outline);
  await transaction(async (db) => {
    const unfinished = await selectUnfinished(db, piece.id);
    if (unfinished?.outlineHash !== outlineHash) return;
    const sections = await selectSections(db, piece.id, outlineHash);
    const place = { heading: unfinished.heading, headingIndex: unfinished.position, textSoFar: joinSections(sections) };
    const part = ledSection(unfinished.heading, sectionText(finishedPart(unfinished.text), place));
    const text = `${joinSections([...sections, part])}\n\n${UNFINISHED_MARK}`;
    const body = { field: "body", text, baseTextVersion: piece.textVersion, usage: totalUsage(sections) } as const;
    if (await saveAiText(db, actor.userId, piece.id, body)) await markShown(db, piece.id);
  });
}

/** Only a direct call can be stopped. */
async function unstopped<T>(made: Promise<T | null>): Promise<T> {
  const section = await made;
  if (section === null) throw new Error("A queue's section was stopped.");
  return section;
}

/** Joins a post's sections and ends its item. May run twice. */
export function finishText(run: ItemRun): Promise<StepOutcome> {
  return runItemStep("finish", "content_generation", run, async (claim) => {
    const actor = actorFromQueueRow(claim.item);
    const { piece } = await pieceContext(actor, claim.item.contentPieceId);
    return completeStep(claim, async (db) => {
      // After an edit the sections of the old outline are still joined: the base version makes them a revision.
      const sections = await selectSections(
        db,
        piece.id,
        isEditedSince(claim, piece) ? null : hashOutline(piece.outline),
      );
      if (sections.length === 0) return null;
      if (!isEditedSince(claim, piece) && (await hasWholeText(piece))) return null;
      const text = joinSections(sections);
      const baseTextVersion = claim.item.baseTextVersion ?? piece.textVersion;
      const body = { field: "body", text, baseTextVersion, usage: totalUsage(sections) } as const;
      const isWritten = await saveAiText(db, actor.userId, piece.id, body);
      await deleteSections(db, piece.id);
      return isWritten === false ? NEWER_EDIT : stockPhraseNote(findStockPhrases(text));
    });
  });
}

/** Is there nothing more to pay for: a text is there, or the piece was edited since its first section? */
async function isFinished(claim: Claim, { piece }: PieceContext): Promise<boolean> {
  return isEditedSince(claim, piece) || hasWholeText(piece);
}

/** A body that only shows what a failed item had written is no text yet. */
async function hasWholeText({ id, hasBody, textVersion }: PieceContext["piece"]): Promise<boolean> {
  return hasBody && !(await isShownIn(prisma, id, textVersion));
}

function isEditedSince({ item }: Claim, piece: PieceContext["piece"]): boolean {
  return item.baseTextVersion !== null && item.baseTextVersion !== piece.textVersion;
}

async function nextStep({ piece }: PieceContext): Promise<StepOutcome> {
  const count = plannedSections(piece.outline ?? "").length;
  const position = nextPosition(await selectSections(prisma, piece.id, hashOutline(piece.outline)));
  return position < count ? { next: "section", index: position + 1, count } : { next: "finish" };
}
