import "server-only";
import { generate, type Usage } from "@/lib/ai/generate";
import { withContinuation } from "@/lib/ai/prompts/continuation";
import { beginningOf, finishedPart } from "@/lib/ai/prompts/finished-part";
import { type OutlineSection, parseOutlineSections, wordBudgets } from "@/lib/ai/prompts/outline-sections";
import { sectionPrompt, sectionText } from "@/lib/ai/prompts/section";
import type { AiProvider } from "@/lib/ai/provider";
import { addTokens, NO_TOKENS, tokensOf } from "@/lib/ai/tokens";
import { env } from "@/lib/env";
import { AppError, isAppError } from "@/lib/errors";
import type { PieceContext } from "@/lib/features/generation/reads";
import { joinSections, ledSection, MAX_SECTIONS, type Section, TARGET_WORDS } from "@/lib/features/generation/rules";
import type { SavedSection } from "@/lib/features/generation/sql";
import { isBlank } from "@/lib/utils/text";

/** The position of the first section still to be written, from 0. */
export function nextPosition(saved: { position: number }[]): number {
  const has = new Set(saved.map(({ position }) => position));
  let position = 0;
  while (has.has(position)) position++;
  return position;
}

/** The sections to write. Throws OUTLINE_REQUIRED for none and TOO_COMPLEX for too many, before any is paid for. */
export function plannedSections(outline: string): OutlineSection[] {
  const planned = parseOutlineSections(outline);
  if (planned.length === 0) throw new AppError("OUTLINE_REQUIRED");
  if (planned.length <= MAX_SECTIONS) return planned;
  const message = `This outline has ${planned.length.toLocaleString("en-US")} sections; at most ${MAX_SECTIONS} can be written. Join some of them or divide the outline, then try again.`;
  throw new AppError("TOO_COMPLEX", { message });
}

/** Progress of a text: each section's start (`restart` after an unusable answer) and its words as they arrive. */
export type WritingListener = {
  onSection?: (section: { index: number; count: number; heading: string; restart: boolean }) => void;
  onDelta?: (delta: string) => void;
  /** The model thinks before it writes. */
  onThinking?: () => void;
};

/** Where writing begins: at a section of the outline, after a text that has those before it. */
export type Start = { index: number; text: string };

export const FROM_THE_FIRST: Start = { index: 0, text: "" };

type SectionOptions = WritingListener & {
  /** The user's wish to stop. */
  stop?: AbortSignal;
  /** Ends the call; `stop` unless something else may, too. */
  signal?: AbortSignal | undefined;
} & Partial<UnfinishedCall>;

export type UnfinishedCall = {
  /** What earlier calls had written of the section when they broke off. */
  kept: string;
  /** The same if this call goes on from it; "" if it starts the section over. */
  begun: string;
  /** Keeps what this call has written when it breaks off. */
  onBroken: (section: Section, usage: Usage) => Promise<void>;
};

/**
 * Writes the section after those given; the prompt has the whole outline and the text so far. Goes on from what is begun. If
 * the user stops it, what there is of it counts as the section; null when there is nothing yet.
 */
export async function writeSection(
  provider: AiProvider,
  { piece, input }: PieceContext,
  written: Section[],
  { stop, signal = stop, begun = "", kept = "", onBroken, ...listener }: SectionOptions = {},
  start = FROM_THE_FIRST,
): Promise<{ section: Section; usage: Usage } | null> {
  const outline = piece.outline ?? "";
  const planned = plannedSections(outline);
  const index = start.index + written.length;
  const plan = planned[index];
  if (!plan) throw new AppError("OUTLINE_REQUIRED");
  const words = input.project.style?.words ?? TARGET_WORDS;
  const place = {
    heading: plan.heading,
    headingIndex: index,
    textSoFar: [start.text, joinSections(written)].filter(Boolean).join("\n\n"),
  };
  const prompt = sectionPrompt({
    ...input,
    ...place,
    outline,
    begun,
    headingCount: planned.length,
    brief: plan.brief,
    wordBudget: wordBudgets(planned, words)[index] ?? words,
  });
  const begin = (restart: boolean) => {
    listener.onSection?.({ index, count: planned.length, heading: plan.heading, restart });
    if (begun !== "") listener.onDelta?.(begun);
  };
  begin(false);
  const partial = partialText(listener.onDelta);
  try {
    const { value, usage } = await generate(provider, prompt, {
      ...(signal ? { signal } : {}),
      onDelta: partial.add,
      ...(listener.onThinking ? { onThinking: listener.onThinking } : {}),
      onRestart: () => {
        partial.reset();
        begin(true);
      },
    });
    return { section: ledSection(plan.heading, value), usage };
  } catch (error) {
    const usage = usageOfStopped(prompt, error);
    const isNew = !isBlank(partial.text());
    const whole = isNew ? withContinuation(begun, partial.text()) : kept;
    if (stop?.aborted) {
      const part = sectionText(finishedPart(whole), place);
      return part.text === "" ? null : { section: ledSection(plan.heading, part), usage };
    }
    const text = isNew && !isAppError(error, "AI_DECLINED") ? beginningOf(whole) : "";
    if (text !== "") await onBroken?.({ heading: plan.heading, text }, usage);
    throw error;
  }
}

/** What has arrived of an answer, for a call that may be stopped. */
export function partialText(onDelta: WritingListener["onDelta"]) {
  let text = "";
  return {
    add(delta: string) {
      text += delta;
      onDelta?.(delta);
    },
    reset() {
      text = "";
    },
    text: () => text,
  };
}

/** What was paid before the stop; few providers say what the stopped call itself has used. */
export function usageOfStopped({ version }: { version: string }, stop: unknown): Usage {
  return { model: env.OPENAI_MODEL, promptVersion: version, ...tokensOf(stop), ms: 0 };
}

/** Tokens and time of all sections, with the model and prompt of the last one. */
export function totalUsage(sections: SavedSection[]): Usage {
  const last = sections.at(-1);
  return {
    model: last?.model ?? "",
    promptVersion: last?.promptVersion ?? "",
    ...sections.reduce(addTokens, NO_TOKENS),
    ms: sections.reduce((total, { ms }) => total + ms, 0),
  };
}
