import "server-only";
import { randomUUID } from "node:crypto";
import { generate } from "@/lib/ai/generate";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { ownedContent } from "@/lib/features/content/reads";
import {
  type AiText,
  holdWriting,
  landAiText,
  releaseWriting,
  saveWritingProgress,
} from "@/lib/features/content/writes";
import { pieceContext } from "@/lib/features/generation/reads";
import { joinSections, stockPhraseNote } from "@/lib/features/generation/rules";
import {
  addUsage,
  goOn,
  isWritten,
  NEWER_EDIT,
  providerOf,
  type WritingWatcher,
  writeSection,
} from "@/lib/features/generation/steps";
import { liveJobOfPiece } from "@/lib/features/jobs/reads";
import { isBlank } from "@/lib/utils/text";

/** Plans one piece. What it replaces stays as a revision; an edit made meanwhile wins and the outline becomes a revision. */
export async function generateOutline(actor: Actor, id: string, watcher: WritingWatcher = {}) {
  return holdingPiece(actor, id, async (provider) => {
    const { piece, input } = await pieceContext(actor, id);
    const begin = (restart: boolean) => watcher.onSection?.({ index: 0, count: 1, heading: "", restart });
    begin(false);
    const { value, usage } = await generate(provider, outlinePrompt(input), {
      ...(watcher.onDelta ? { onDelta: watcher.onDelta } : {}),
      onRestart: () => begin(true),
    });
    const written = await land(actor, id, { field: "outline", text: value, baseVersion: piece.version, usage });
    return { message: written ? "Outline generated" : NEWER_EDIT, outline: await writtenPiece(actor, id) };
  });
}

/**
 * Writes one piece from its outline, section by section. Finished sections are kept, so that calling again after a
 * failure goes on. Throws OUTLINE_REQUIRED, TOO_COMPLEX, MISSING_API_KEY, ALREADY_RUNNING and the provider's failures.
 */
export async function writeContent(actor: Actor, id: string, watcher: WritingWatcher = {}) {
  return holdingPiece(actor, id, async (provider, token) => {
    const found = await pieceContext(actor, id);
    if (isBlank(found.piece.outline)) throw new AppError("OUTLINE_REQUIRED");
    let kept: unknown = found.piece.writingProgress;
    let progress = goOn(kept, found.piece.outline ?? "");
    if (progress.sections.length === 0) kept = null;
    while (!isWritten(progress, found)) {
      const { section, usage } = await writeSection(provider, found, progress.sections, watcher);
      progress = { ...progress, sections: [...progress.sections, section] };
      kept = { ...progress, usage: addUsage(kept, usage) };
      if (!(await saveWritingProgress(id, token, kept))) throw new AppError("ALREADY_RUNNING");
    }
    const text = joinSections(progress.sections);
    const landed = { field: "body", text, baseVersion: found.piece.version, usage: addUsage(kept, undefined) } as const;
    const written = await land(actor, id, landed);
    const done = ["Content generated successfully from outline", stockPhraseNote(findStockPhrases(text))];
    const message = written ? done.filter(Boolean).join(". ") : NEWER_EDIT;
    return { message, content: await writtenPiece(actor, id) };
  });
}

/** The piece as it is handed over: this writing lets go of it in the same moment. */
async function writtenPiece(actor: Actor, id: string) {
  return { ...(await ownedContent(actor, id)), isBeingWritten: false };
}

async function land(actor: Actor, id: string, text: AiText): Promise<boolean> {
  const written = await landAiText(prisma, actor.userId, id, text);
  if (written === undefined)
    throw new AppError("NOT_FOUND", { message: "This piece was deleted while it was being written." });
  return written;
}

/** One AI call a piece at a time: refuses while a queue or another call works on it. */
async function holdingPiece<T>(
  actor: Actor,
  id: string,
  work: (provider: AiProvider, token: string) => Promise<T>,
): Promise<T> {
  await ownedContent(actor, id);
  const provider = await providerOf(actor);
  const jobId = await liveJobOfPiece(actor, id);
  const message = "This piece is being worked on already. Wait until that has ended, then try again.";
  if (jobId) throw new AppError("ALREADY_RUNNING", { message, details: { jobId } });
  const token = randomUUID();
  if (!(await holdWriting(actor.userId, id, token))) throw new AppError("ALREADY_RUNNING", { message });
  try {
    return await work(provider, token);
  } finally {
    await releaseWriting(id, token);
  }
}
