import "server-only";
import { randomUUID } from "node:crypto";
import { generate, type Usage } from "@/lib/ai/generate";
import { readLines } from "@/lib/ai/prompts/markdown";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import type { OutlineSection } from "@/lib/ai/prompts/outline-sections";
import type { Prompt } from "@/lib/ai/prompts/prompt";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { withoutWrapping } from "@/lib/ai/prompts/wrapping";
import type { AiProvider } from "@/lib/ai/provider";
import { aiTimes } from "@/lib/ai/times";
import type { Actor } from "@/lib/auth/actor";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { retryOnOutage } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import { type AiText, leasablePieceSql, saveAiText } from "@/lib/features/content/sql/shared";
import { aiProviderOf, pieceContext } from "@/lib/features/generation/reads";
import {
  joinSections,
  NEWER_EDIT,
  pressAgain,
  STOPPED,
  STOPPED_EMPTY,
  stockPhraseNote,
} from "@/lib/features/generation/rules";
import type { WriteInput } from "@/lib/features/generation/schema";
import { deleteSections, hashMissing, hashOutline, saveSection, selectSections } from "@/lib/features/generation/sql";
import { type Stop, watchForStop } from "@/lib/features/generation/writes/stopping";
import { unfinishedAt } from "@/lib/features/generation/writes/unfinished";
import {
  FROM_THE_FIRST,
  nextPosition,
  partialText,
  plannedSections,
  type Start,
  totalUsage,
  usageOfStopped,
  type WritingListener,
  writeSection,
} from "@/lib/features/generation/writes/write-section";
import { liveJobOfPiece } from "@/lib/features/work/reads";
import { noLiveItemSql } from "@/lib/features/work/sql/shared";
import { acquire, fence, type Lease, release, renew, whileRenewing } from "@/lib/lease/lease";
import { fingerprint } from "@/lib/utils/text";

/** Writes a piece's outline. An edit made meanwhile wins, and the outline becomes a revision. */
export async function generateOutline(
  actor: Actor,
  id: string,
  listener: WritingListener = {},
  { style }: WriteInput = {},
) {
  return withWritingLease(actor, id, async (provider, lease, { signal }) => {
    const { piece, input } = await pieceContext(actor, id, style);
    const made = await requestOutline(provider, outlinePrompt(input), listener, signal);
    if (!made) return { message: STOPPED_EMPTY, outline: await finishedPiece(actor, id) };
    const { value, usage } = made;
    const outline = { field: "outline", text: value, baseTextVersion: piece.textVersion, usage } as const;
    const written = await saveUnderLease(actor, id, lease, async () => outline);
    if (written === undefined) {
      // The lease is lost but the outline is paid for: keep it as a revision.
      await transaction((db) => saveAiText(db, actor.userId, id, { ...outline, baseTextVersion: null }));
      throw await leaseLost(actor, id);
    }
    const done = signal.aborted ? STOPPED : "Outline generated";
    return { message: written ? done : NEWER_EDIT, outline: await finishedPiece(actor, id) };
  });
}

/** The outline, or the whole lines of one that was stopped; null if those have no section. */
async function requestOutline(
  provider: AiProvider,
  prompt: Prompt<string>,
  listener: WritingListener,
  signal: AbortSignal,
): Promise<{ value: string; usage: Usage } | null> {
  const begin = (restart: boolean) => listener.onSection?.({ index: 0, count: 1, heading: "", restart });
  const partial = partialText(listener.onDelta);
  begin(false);
  try {
    return await generate(provider, prompt, {
      signal,
      ...(listener.onDelta ? { onDelta: partial.add } : {}),
      ...(listener.onThinking ? { onThinking: listener.onThinking } : {}),
      onRestart: () => {
        partial.reset();
        begin(true);
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    const text = partial.text();
    const value = withoutWrapping(text.slice(0, text.lastIndexOf("\n") + 1));
    return /^## /m.test(value) ? { value, usage: usageOfStopped(prompt, error) } : null;
  }
}

/**
 * Writes a piece from its outline, or the sections that its text does not have yet. Sections are saved one by one, so that a
 * call after a failure continues. Throws OUTLINE_REQUIRED, TOO_COMPLEX, MISSING_API_KEY, ALREADY_RUNNING, NOTHING_TO_DO when no
 * section is missing, and the provider's failures.
 */
export async function writeContent(
  actor: Actor,
  id: string,
  listener: WritingListener = {},
  { which = "all", style }: WriteInput & { which?: "all" | "missing" } = {},
) {
  return withWritingLease(actor, id, async (provider, lease, { signal: stop }) => {
    const { signal, isUp } = withinRequest(stop);
    const context = await pieceContext(actor, id, style);
    const { outline, textVersion } = context.piece;
    const planned = plannedSections(outline ?? "");
    const start = which === "all" ? FROM_THE_FIRST : await startAfter(actor, id, planned);
    const count = planned.length - start.index;
    const outlineHash = which === "all" ? hashOutline(outline) : hashMissing(outline, start.text);
    while (!signal.aborted) {
      const saved = await selectSections(prisma, id, outlineHash);
      const position = nextPosition(saved);
      if (position >= count) break;
      const unfinished = await unfinishedAt(id, { outlineHash, position });
      const options = { ...listener, ...unfinished, stop, signal };
      const made = await writeSection(provider, context, saved, options, start).catch((error: unknown) => {
        if (isUp()) return null;
        throw error;
      });
      if (!made) break;
      const { section, usage } = made;
      await retryOnOutage(() => saveSection(prisma, id, { outlineHash, position }, section, usage));
      if (!(await renew(lease))) throw await leaseLost(actor, id);
    }
    const sections = await selectSections(prisma, id, outlineHash);
    if (isUp() && sections.length < count) {
      const message = pressAgain(sections.length, count);
      return { message, isComplete: false, content: await finishedPiece(actor, id) };
    }
    if (sections.length === 0) return { message: STOPPED_EMPTY, content: await finishedPiece(actor, id) };
    const text = [start.text, joinSections(sections)].filter(Boolean).join("\n\n");
    const written = await saveUnderLease(actor, id, lease, async (db) => {
      await deleteSections(db, id);
      return { field: "body", text, baseTextVersion: textVersion, usage: totalUsage(sections) };
    });
    if (written === undefined) throw await leaseLost(actor, id);
    const done = [
      stop.aborted ? STOPPED : "Content generated successfully from outline",
      stockPhraseNote(findStockPhrases(text)),
    ];
    const message = written ? done.filter(Boolean).join(". ") : NEWER_EDIT;
    return { message, content: await finishedPiece(actor, id) };
  });
}

/** The user's wish to stop, and on Vercel the end of the request's time, which leaves enough to save what there is. */
function withinRequest(stop: AbortSignal): { signal: AbortSignal; isUp: () => boolean } {
  const { requestMs } = aiTimes();
  if (requestMs === null) return { signal: stop, isUp: () => false };
  const time = AbortSignal.timeout(requestMs);
  return { signal: AbortSignal.any([stop, time]), isUp: () => time.aborted && !stop.aborted };
}

/**
 * The section after the last one whose heading the text has: the user may have edited the rest. Throws NOTHING_TO_DO.
 */
async function startAfter(actor: Actor, id: string, planned: OutlineSection[]): Promise<Start> {
  const { body } = await ownedContent(actor, id);
  const present = new Set(readLines(body).flatMap(({ heading }) => (heading ? fingerprint(heading.text) : [])));
  const index = planned.findLastIndex(({ heading }) => present.has(fingerprint(heading))) + 1;
  if (index < planned.length) return { index, text: body.trim() };
  throw new AppError("NOTHING_TO_DO", { message: "Every section of the outline is in the text already." });
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

/** Allows one AI call per piece at a time. Throws ALREADY_RUNNING while another call or a queue has it. */
async function withWritingLease<T>(
  actor: Actor,
  id: string,
  work: (provider: AiProvider, lease: Lease, stop: Stop) => Promise<T>,
): Promise<T> {
  await ownedContent(actor, id);
  const provider = await aiProviderOf(actor);
  const lease = { kind: "writing", subject: id, token: randomUUID() } as const;
  if (!(await acquire("writing", leasablePieceSql(actor.userId, id, noLiveItemSql(Prisma.sql`p.id`)), lease.token))) {
    const jobId = await liveJobOfPiece(actor, id);
    const message = "This piece is being worked on already. Wait until that is finished, then try again.";
    throw new AppError("ALREADY_RUNNING", { message, ...(jobId ? { details: { jobId } } : {}) });
  }
  const stop = watchForStop(lease);
  try {
    return await whileRenewing(
      () => renew(lease),
      () => work(provider, lease, stop),
    );
  } finally {
    await stop.end();
    await release(lease);
  }
}
