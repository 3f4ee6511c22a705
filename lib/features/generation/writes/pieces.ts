import "server-only";
import { randomUUID } from "node:crypto";
import { generate } from "@/lib/ai/generate";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { type Db, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { type AiText, landAiText, pieceToHold } from "@/lib/features/content/writes";
import { pieceContext } from "@/lib/features/generation/reads";
import { joinSections, NEWER_EDIT, stockPhraseNote } from "@/lib/features/generation/rules";
import { keepSection, keptSections, spendSections } from "@/lib/features/generation/sql";
import {
  firstMissing,
  hashOf,
  plannedSections,
  providerOf,
  totalUsage,
  type WritingWatcher,
  writeSection,
} from "@/lib/features/generation/writes/section";
import { liveJobOfPiece } from "@/lib/features/jobs/reads";
import { noLiveItem } from "@/lib/features/jobs/writes/jobs";
import { acquire, fence, type Lease, release, renew } from "@/lib/lease/lease";
import { againAfterOutage } from "@/lib/utils/database";

/** Plans one piece. What it replaces stays as a revision; an edit made meanwhile wins and the outline becomes a revision. */
export async function generateOutline(actor: Actor, id: string, watcher: WritingWatcher = {}) {
  return holdingPiece(actor, id, async (provider, lease) => {
    const { piece, input } = await pieceContext(actor, id);
    const begin = (restart: boolean) => watcher.onSection?.({ index: 0, count: 1, heading: "", restart });
    begin(false);
    const { value, usage } = await generate(provider, outlinePrompt(input), {
      ...(watcher.onDelta ? { onDelta: watcher.onDelta } : {}),
      onRestart: () => begin(true),
    });
    const outline = { field: "outline", text: value, baseTextVersion: piece.textVersion, usage } as const;
    const written = await land(actor, id, lease, async () => outline);
    if (written === undefined) {
      // Paid for, but somebody else plans the piece by now: beside the text, never over it.
      await landAiText(prisma, actor.userId, id, { ...outline, baseTextVersion: null });
      throw await lost(actor, id);
    }
    return { message: written ? "Outline generated" : NEWER_EDIT, outline: await writtenPiece(actor, id) };
  });
}

/**
 * Writes one piece from its outline, section by section. Finished sections are kept, so that calling again after a
 * failure goes on. Throws OUTLINE_REQUIRED, TOO_COMPLEX, MISSING_API_KEY, ALREADY_RUNNING and the provider's failures.
 */
export async function writeContent(actor: Actor, id: string, watcher: WritingWatcher = {}) {
  return holdingPiece(actor, id, async (provider, lease) => {
    const found = await pieceContext(actor, id);
    const { outline, textVersion } = found.piece;
    const count = plannedSections(outline ?? "").length;
    const outlineHash = hashOf(outline);
    for (;;) {
      const kept = await keptSections(prisma, id, outlineHash);
      const position = firstMissing(kept);
      if (position >= count) break;
      const { section, usage } = await writeSection(provider, found, kept, watcher);
      await againAfterOutage(() => keepSection(prisma, id, { outlineHash, position }, section, usage));
      if (!(await renew(lease))) throw await lost(actor, id);
    }
    let text = "";
    const written = await land(actor, id, lease, async (db) => {
      const sections = await keptSections(db, id, outlineHash);
      text = joinSections(sections);
      await spendSections(db, id);
      return { field: "body", text, baseTextVersion: textVersion, usage: totalUsage(sections) };
    });
    if (written === undefined) throw await lost(actor, id);
    const done = ["Content generated successfully from outline", stockPhraseNote(findStockPhrases(text))];
    const message = written ? done.filter(Boolean).join(". ") : NEWER_EDIT;
    return { message, content: await writtenPiece(actor, id) };
  });
}

/** The piece as it is handed over: this writing lets go of it in the same moment. */
async function writtenPiece(actor: Actor, id: string) {
  return { ...(await ownedContent(actor, id)), isBeingWritten: false };
}

/**
 * Lands a text under the lease, in one transaction with what `textOf` does. False: it met a newer edit, and lies beside it.
 * Undefined: the piece is gone, or somebody else has it by now, and nothing was done.
 */
function land(
  actor: Actor,
  id: string,
  lease: Lease,
  textOf: (db: Db) => Promise<AiText>,
): Promise<boolean | undefined> {
  return againAfterOutage(() =>
    transaction(async (db) => {
      if (!(await fence(db, lease))) return undefined;
      return landAiText(db, actor.userId, id, await textOf(db));
    }),
  );
}

/** Why the lease on a piece is not held any more: a deleted piece takes it along; another holder took it over. */
function lost(actor: Actor, id: string): Promise<AppError> {
  return ownedContent(actor, id).then(overtaken, gone);
}

function gone(): AppError {
  return new AppError("NOT_FOUND", { message: "This piece was deleted while it was being written." });
}

function overtaken(): AppError {
  const message = "This took too long, and the piece is being written again meanwhile. What was written is kept.";
  return new AppError("ALREADY_RUNNING", { message });
}

/** One AI call a piece at a time: refuses while a queue is about to work on it, or another call does. */
async function holdingPiece<T>(
  actor: Actor,
  id: string,
  work: (provider: AiProvider, lease: Lease) => Promise<T>,
): Promise<T> {
  await ownedContent(actor, id);
  const provider = await providerOf(actor);
  const lease = { kind: "writing", subject: id, token: randomUUID() } as const;
  if (!(await acquire("writing", pieceToHold(actor.userId, id, noLiveItem("p")), lease.token))) {
    const jobId = await liveJobOfPiece(actor, id);
    const message = "This piece is being worked on already. Wait until that has ended, then try again.";
    throw new AppError("ALREADY_RUNNING", { message, ...(jobId ? { details: { jobId } } : {}) });
  }
  try {
    return await work(provider, lease);
  } finally {
    await release(lease);
  }
}
