import "server-only";
import { randomUUID } from "node:crypto";
import { generate } from "@/lib/ai/generate";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { retryOnOutage } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { type AiText, leasablePieceSql, saveAiText } from "@/lib/features/content/sql/shared";
import { aiProviderOf, pieceContext } from "@/lib/features/generation/reads";
import { joinSections, NEWER_EDIT, stockPhraseNote } from "@/lib/features/generation/rules";
import { deleteSections, saveSection, selectSections } from "@/lib/features/generation/sql";
import {
  hashOutline,
  nextPosition,
  plannedSections,
  totalUsage,
  type WritingListener,
  writeSection,
} from "@/lib/features/generation/writes/write-section";
import { liveJobOfPiece } from "@/lib/features/jobs/reads";
import { noLiveItemSql } from "@/lib/features/jobs/sql/shared";
import { acquire, fence, type Lease, release, renew } from "@/lib/lease/lease";

/** Writes a piece's outline. An edit made meanwhile wins, and the outline becomes a revision. */
export async function generateOutline(actor: Actor, id: string, listener: WritingListener = {}) {
  return withWritingLease(actor, id, async (provider, lease) => {
    const { piece, input } = await pieceContext(actor, id);
    const begin = (restart: boolean) => listener.onSection?.({ index: 0, count: 1, heading: "", restart });
    begin(false);
    const { value, usage } = await generate(provider, outlinePrompt(input), {
      ...(listener.onDelta ? { onDelta: listener.onDelta } : {}),
      onRestart: () => begin(true),
    });
    const outline = { field: "outline", text: value, baseTextVersion: piece.textVersion, usage } as const;
    const written = await saveUnderLease(actor, id, lease, async () => outline);
    if (written === undefined) {
      // The lease is lost but the outline is paid for: keep it as a revision.
      await saveAiText(prisma, actor.userId, id, { ...outline, baseTextVersion: null });
      throw await leaseLost(actor, id);
    }
    return { message: written ? "Outline generated" : NEWER_EDIT, outline: await finishedPiece(actor, id) };
  });
}

/**
 * Writes a piece from its outline. Sections are saved one by one, so that a call after a failure continues. Throws
 * OUTLINE_REQUIRED, TOO_COMPLEX, MISSING_API_KEY, ALREADY_RUNNING and the provider's failures.
 */
export async function writeContent(actor: Actor, id: string, listener: WritingListener = {}) {
  return withWritingLease(actor, id, async (provider, lease) => {
    const context = await pieceContext(actor, id);
    const { outline, textVersion } = context.piece;
    const count = plannedSections(outline ?? "").length;
    const outlineHash = hashOutline(outline);
    for (;;) {
      const saved = await selectSections(prisma, id, outlineHash);
      const position = nextPosition(saved);
      if (position >= count) break;
      const { section, usage } = await writeSection(provider, context, saved, listener);
      await retryOnOutage(() => saveSection(prisma, id, { outlineHash, position }, section, usage));
      if (!(await renew(lease))) throw await leaseLost(actor, id);
    }
    let text = "";
    const written = await saveUnderLease(actor, id, lease, async (db) => {
      const sections = await selectSections(db, id, outlineHash);
      text = joinSections(sections);
      await deleteSections(db, id);
      return { field: "body", text, baseTextVersion: textVersion, usage: totalUsage(sections) };
    });
    if (written === undefined) throw await leaseLost(actor, id);
    const done = ["Content generated successfully from outline", stockPhraseNote(findStockPhrases(text))];
    const message = written ? done.filter(Boolean).join(". ") : NEWER_EDIT;
    return { message, content: await finishedPiece(actor, id) };
  });
}

/** The piece as answered: its lease is released a moment later. */
async function finishedPiece(actor: Actor, id: string) {
  return { ...(await ownedContent(actor, id)), isBeingWritten: false };
}

/**
 * Saves a text behind the lease, in one transaction with `textOf`. False: the piece was edited meanwhile, and the text is a
 * revision. Undefined: the piece is gone or the lease lost, and nothing was done.
 */
function saveUnderLease(
  actor: Actor,
  id: string,
  lease: Lease,
  textOf: (db: Db) => Promise<AiText>,
): Promise<boolean | undefined> {
  return retryOnOutage(() =>
    transaction(async (db) => {
      if (!(await fence(db, lease))) return undefined;
      return saveAiText(db, actor.userId, id, await textOf(db));
    }),
  );
}

/** Why a lease was lost: another holder took over, or its piece was deleted. */
function leaseLost(actor: Actor, id: string): Promise<AppError> {
  const overtaken = "This took too long, and the piece is being written again now. What was written is kept.";
  const deleted = "This piece was deleted while it was being written.";
  return ownedContent(actor, id).then(
    () => new AppError("ALREADY_RUNNING", { message: overtaken }),
    () => new AppError("NOT_FOUND", { message: deleted }),
  );
}

/** One AI call per piece at a time. Throws ALREADY_RUNNING while another call or a queue has it. */
async function withWritingLease<T>(
  actor: Actor,
  id: string,
  work: (provider: AiProvider, lease: Lease) => Promise<T>,
): Promise<T> {
  await ownedContent(actor, id);
  const provider = await aiProviderOf(actor);
  const lease = { kind: "writing", subject: id, token: randomUUID() } as const;
  if (!(await acquire("writing", leasablePieceSql(actor.userId, id, noLiveItemSql(Prisma.sql`p.id`)), lease.token))) {
    const jobId = await liveJobOfPiece(actor, id);
    const message = "This piece is being worked on already. Wait until that is finished, then try again.";
    throw new AppError("ALREADY_RUNNING", { message, ...(jobId ? { details: { jobId } } : {}) });
  }
  try {
    return await work(provider, lease);
  } finally {
    await release(lease);
  }
}
