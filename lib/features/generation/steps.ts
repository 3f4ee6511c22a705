import "server-only";
import { createHash } from "node:crypto";
import { generate, type Usage } from "@/lib/ai/generate";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { type OutlineSection, parseOutlineSections, wordBudgets } from "@/lib/ai/prompts/outline-sections";
import { sectionPrompt } from "@/lib/ai/prompts/section";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { type AiProvider, createAiProvider } from "@/lib/ai/provider";
import { type Actor, actorOfQueueRow } from "@/lib/auth/actor";
import { AppError, isAppError, retryKind } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/reads";
import { landAiText } from "@/lib/features/content/writes";
import { pieceContext } from "@/lib/features/generation/reads";
import {
  joinSections,
  MAX_SECTIONS,
  type Section,
  stockPhraseNote,
  TARGET_WORDS,
} from "@/lib/features/generation/rules";
import { writingProgress } from "@/lib/features/generation/schema";
import { retryDelaySeconds } from "@/lib/features/jobs/rules";
import { claimItem, finishItem, type ItemRef, keepProgress, putItemBack } from "@/lib/features/jobs/writes";
import { log } from "@/lib/log";
import { createInFlight } from "@/lib/utils/in-flight";

export const NEWER_EDIT =
  "You edited this piece while it was being written. Your text was kept; the AI text is in its revisions.";

type PieceContext = Awaited<ReturnType<typeof pieceContext>>;
export type Progress = { outlineHash: string; sections: Section[] };

/** What became of a step: go on with the next section, come back later, or done with (for better or worse). */
export type StepOutcome = { next: "section" | "finish" | "end" } | { next: "wait"; waitSeconds: number };

/** Writes the outline of one queue item: claim, one AI call, and its end in one transaction. May run twice. */
export async function writeOutlineItem(itemId: string, runId: string): Promise<StepOutcome> {
  const ref: ItemRef = { itemId, jobType: "outline_generation" };
  return withItem("outline", ref, runId, async ({ actor, token, pieceId }) => {
    const found = await pieceContext(actor, pieceId);
    if (found.piece.hasOutline) return finishEmpty(ref, token);
    const provider = await providerOf(actor);
    const { value, usage } = await generate(provider, outlinePrompt(found.input));
    await finishItem(ref, token, usage, async (db) => {
      const landed = { field: "outline", text: value, baseVersion: found.piece.version, usage } as const;
      return (await landAiText(db, actor.userId, pieceId, landed)) === false ? NEWER_EDIT : null;
    });
    return { next: "end" };
  });
}

/** Writes the next missing section of one queue item and keeps it. May run twice. */
export async function writeSectionItem(itemId: string, runId: string): Promise<StepOutcome> {
  const ref: ItemRef = { itemId, jobType: "content_generation" };
  return withItem("section", ref, runId, async ({ actor, token, pieceId, kept }) => {
    const found = await pieceContext(actor, pieceId);
    if (found.piece.hasBody) return finishEmpty(ref, token);
    const progress = goOn(kept, found.piece.outline ?? "");
    if (isWritten(progress, found)) return { next: "finish" };
    const provider = await providerOf(actor);
    const { section, usage } = await writeSection(provider, found, progress.sections);
    const sections = [...progress.sections, section];
    const saved = await keepProgress(ref, token, { ...progress, sections, usage: addUsage(kept, usage) });
    if (!saved) return { next: "end" };
    return { next: isWritten({ ...progress, sections }, found) ? "finish" : "section" };
  });
}

/** Puts the sections of one queue item together and ends it. May run twice. */
export async function finishContentItem(itemId: string, runId: string): Promise<StepOutcome> {
  const ref: ItemRef = { itemId, jobType: "content_generation" };
  return withItem("finish", ref, runId, async ({ actor, token, pieceId, kept, baseVersion }) => {
    const usage = addUsage(kept, undefined);
    // What was written is put together as it is, also when the outline was edited since: the version decides where it goes.
    const written = writingProgress.safeParse(kept).data?.sections ?? [];
    if (written.length === 0) throw new AppError("OUTLINE_REQUIRED");
    const text = joinSections(written);
    await finishItem(ref, token, usage, async (db) => {
      const landed = { field: "body", text, baseVersion, usage } as const;
      const landing = await landAiText(db, actor.userId, pieceId, landed);
      return landing === false ? NEWER_EDIT : stockPhraseNote(findStockPhrases(text));
    });
    return { next: "end" };
  });
}

type Held = { actor: Actor; token: string; pieceId: string; kept: unknown; baseVersion: number };

type Work = (held: Held) => Promise<StepOutcome>;

const once = createInFlight<StepOutcome>();

/** The engine calls again when an answer did not reach it; the first call may still be waiting for the provider. */
function withItem(step: "outline" | "section" | "finish", ref: ItemRef, runId: string, work: Work) {
  return once(`${step} ${ref.itemId} ${runId}`, () => withClaim(ref, runId, work));
}

/** Claims the item, does the work, and turns a failure that a person would meet into the row's next state. */
async function withClaim(ref: ItemRef, runId: string, work: Work): Promise<StepOutcome> {
  const claim = await claimItem(ref, runId);
  if (!claim) return { next: "end" };
  if ("waitSeconds" in claim) return { next: "wait", waitSeconds: claim.waitSeconds };
  const { item, token } = claim;
  const actor = actorOfQueueRow(item);
  try {
    return await work({
      actor,
      token,
      pieceId: item.contentPieceId,
      kept: item.sections,
      baseVersion: item.baseVersion,
    });
  } catch (error) {
    // What is not in the catalogue (the database away, say) is the engine's to try again.
    if (!isAppError(error)) throw error;
    if (error.cause) log.warn({ err: error, itemId: item.id, type: error.type }, "item set back");
    await putItemBack(ref, token, {
      error: error.message,
      kind: retryKind(error),
      delaySeconds: Math.ceil(error.retryAfter ?? retryDelaySeconds(item.retryCount + 1)),
    });
    return { next: "end" };
  }
}

async function finishEmpty(ref: ItemRef, token: string): Promise<StepOutcome> {
  await finishItem(ref, token, { tokensIn: 0, tokensOut: 0 }, async () => null);
  return { next: "end" };
}

export async function providerOf(actor: Actor, message?: string): Promise<AiProvider> {
  return createAiProvider({ apiKey: await openaiKeyOf(actor, message) });
}

/** Finished sections that still belong to this outline; an outline edited since begins anew. */
export function goOn(kept: unknown, outline: string): Progress {
  const outlineHash = createHash("sha256").update(outline).digest("hex");
  const parsed = writingProgress.safeParse(kept);
  if (parsed.success && parsed.data.outlineHash === outlineHash) return parsed.data;
  return { outlineHash, sections: [] };
}

export function isWritten(progress: Progress, { piece }: PieceContext): boolean {
  return progress.sections.length >= plannedSections(piece.outline ?? "").length;
}

/** The sections to write; throws TOO_COMPLEX where they are too many, before the first of them is paid for. */
function plannedSections(outline: string): OutlineSection[] {
  const planned = parseOutlineSections(outline);
  if (planned.length <= MAX_SECTIONS) return planned;
  const message = `This outline has ${planned.length.toLocaleString("en-US")} sections; at most ${MAX_SECTIONS} can be written. Join some of them or divide the outline, then try again.`;
  throw new AppError("TOO_COMPLEX", { message });
}

/** What a person watching sees: which section begins (again, when an answer was not usable), and its words as they come. */
export type WritingWatcher = {
  onSection?: (section: { index: number; count: number; heading: string; restart: boolean }) => void;
  onDelta?: (delta: string) => void;
};

/** Asks for the section after those given; it sees the whole outline and the text so far. */
export async function writeSection(
  provider: AiProvider,
  { piece, input }: PieceContext,
  written: Section[],
  watcher: WritingWatcher = {},
): Promise<{ section: Section; usage: Usage }> {
  const outline = piece.outline ?? "";
  const planned = plannedSections(outline);
  const index = written.length;
  const plan = planned[index];
  if (!plan) throw new AppError("OUTLINE_REQUIRED");
  const prompt = sectionPrompt({
    ...input,
    outline,
    heading: plan.heading,
    headingIndex: index,
    headingCount: planned.length,
    brief: plan.brief,
    textSoFar: joinSections(written),
    wordBudget: wordBudgets(planned, TARGET_WORDS)[index] ?? TARGET_WORDS,
  });
  const begin = (restart: boolean) =>
    watcher.onSection?.({ index, count: planned.length, heading: plan.heading, restart });
  begin(false);
  const { value, usage } = await generate(provider, prompt, {
    ...(watcher.onDelta ? { onDelta: watcher.onDelta } : {}),
    onRestart: () => begin(true),
  });
  return { section: { heading: plan.heading, text: value }, usage };
}

const NO_USAGE: Usage = { model: "", promptVersion: "", tokensIn: 0, tokensOut: 0, ms: 0 };

/** Tokens and time of all sections; they lie beside the sections while the writing goes on. */
export function addUsage(kept: unknown, usage: Usage | undefined): Usage {
  const before = { ...NO_USAGE, ...(kept as { usage?: Partial<Usage> } | null)?.usage };
  if (!usage) return before;
  return {
    model: usage.model || before.model,
    promptVersion: usage.promptVersion,
    tokensIn: before.tokensIn + usage.tokensIn,
    tokensOut: before.tokensOut + usage.tokensOut,
    ms: before.ms + usage.ms,
  };
}
