import "server-only";
import { createHash } from "node:crypto";
import { generate, type Usage } from "@/lib/ai/generate";
import { type OutlineSection, parseOutlineSections, wordBudgets } from "@/lib/ai/prompts/outline-sections";
import { sectionPrompt } from "@/lib/ai/prompts/section";
import { type AiProvider, createAiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/reads";
import type { pieceContext } from "@/lib/features/generation/reads";
import { joinSections, MAX_SECTIONS, type Section, TARGET_WORDS } from "@/lib/features/generation/rules";
import type { KeptSection } from "@/lib/features/generation/sql";

export type PieceContext = Awaited<ReturnType<typeof pieceContext>>;

export async function providerOf(actor: Actor, message?: string): Promise<AiProvider> {
  return createAiProvider({ apiKey: await openaiKeyOf(actor, message) });
}

/** What a section belongs to besides its piece: the outline it was written from. */
export function hashOf(outline: string | null): string {
  return createHash("sha256")
    .update(outline ?? "")
    .digest("hex");
}

/** The place of the first section that is not written yet, from 0: each sees the ones before it. */
export function firstMissing(kept: { position: number }[]): number {
  const has = new Set(kept.map(({ position }) => position));
  let position = 0;
  while (has.has(position)) position++;
  return position;
}

/** The sections to write; throws OUTLINE_REQUIRED or TOO_COMPLEX before the first of none, or of too many, is paid for. */
export function plannedSections(outline: string): OutlineSection[] {
  const planned = parseOutlineSections(outline);
  if (planned.length === 0) throw new AppError("OUTLINE_REQUIRED");
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

/** Tokens and time of all sections of a text, and what wrote the last of them. */
export function totalUsage(sections: KeptSection[]): Usage {
  const last = sections.at(-1);
  const sum = (of: (section: KeptSection) => number) => sections.reduce((total, section) => total + of(section), 0);
  return {
    model: last?.model ?? "",
    promptVersion: last?.promptVersion ?? "",
    tokensIn: sum(({ tokensIn }) => tokensIn),
    tokensOut: sum(({ tokensOut }) => tokensOut),
    ms: sum(({ ms }) => ms),
  };
}
