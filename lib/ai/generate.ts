import "server-only";
import type { Completion } from "@/lib/ai/answer";
import type { ChatMessage, Prompt, Reading } from "@/lib/ai/prompts/prompt";
import type { AiProvider, CompletionRequest } from "@/lib/ai/provider";
import { aiTimes } from "@/lib/ai/times";
import { addTokens, NO_TOKENS, type TokenCounts, tokensOf, withTokens } from "@/lib/ai/tokens";
import { AppError, isAppError } from "@/lib/errors";
import { whileAway } from "@/lib/limits/place";

/** Stored with a generated text. Tokens and ms cover both attempts. */
export type Usage = TokenCounts & { model: string; promptVersion: string; ms: number };

export type GenerateOptions = {
  signal?: AbortSignal;
  onDelta?: (delta: string) => void;
  /** The model thinks; text follows. */
  onThinking?: () => void;
  /** Discard what was streamed: a second attempt follows, or it were thoughts. */
  onRestart?: () => void;
  /** False: no second attempt is begun. */
  hasTime?: () => boolean;
};

/**
 * Runs a prompt. An answer that is unreadable or fails the prompt's check is requested once more with the reason, one that was
 * cut short with more room; then the better usable one is returned, else it rejects with AI_BAD_ANSWER. A usable first answer
 * is kept whatever becomes of the second, unless the caller stops it. Other provider failures (see provider.ts) reject at
 * once. `tokensOf(failure)` tells what was paid. Each attempt has its own time-outs.
 */
export async function generate<T>(
  provider: AiProvider,
  prompt: Prompt<T>,
  options: GenerateOptions = {},
): Promise<{ value: T; usage: Usage }> {
  const usage: Usage = { model: "", promptVersion: prompt.version, ...NO_TOKENS, ms: 0 };
  try {
    return { value: await requestValue(provider, prompt, options, usage), usage };
  } catch (error) {
    throw withTokens(error, usage);
  }
}

async function requestValue<T>(
  provider: AiProvider,
  prompt: Prompt<T>,
  options: GenerateOptions,
  usage: Usage,
): Promise<T> {
  const began = performance.now();
  const hasTime = () => performance.now() - began < aiTimes().secondCallMs && options.hasTime?.() !== false;
  const first = await attempt(provider, prompt, { messages: prompt.messages }, options, usage);
  if (first.reading.ok) return first.reading.value;
  if (!hasTime()) return usableOf(prompt, first);
  options.onRestart?.();
  const again = { messages: [...prompt.messages, ...correction(first)], isWider: first.isCutShort };
  const second = await attempt(provider, prompt, again, options, usage).catch((error: unknown): Attempt<T> => {
    if (isStopped(options.signal) || !isAppError(error) || readingOf(first) === undefined) throw error;
    return { ...NOTHING_READ, failure: error };
  });
  if (second.reading.ok) return second.reading.value;
  return usableOf(prompt, second, first);
}

/** The first usable answer. */
function usableOf<T>({ version }: Prompt<T>, ...attempts: [Attempt<T>, ...Attempt<T>[]]): T {
  const usable = attempts.map(readingOf).find((value) => value !== undefined);
  if (usable !== undefined) return usable;
  throw attempts[0].failure ?? new AppError("AI_BAD_ANSWER", { cause: new Error(`${version} was not usable`) });
}

function readingOf<T>({ reading }: Attempt<T>): T | undefined {
  return reading.ok ? reading.value : reading.usable;
}

/** A time budget that has run out is no one's wish. */
function isStopped(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason?.name !== "TimeoutError";
}

type Attempt<T> = { text: string; isCutShort: boolean; reading: Reading<T>; failure?: AppError };

const NOTHING_READ = {
  text: "",
  isCutShort: false,
  reading: { ok: false, problem: "It was empty or not readable." },
} as const;

async function attempt<T>(
  provider: AiProvider,
  prompt: Prompt<T>,
  asked: Pick<CompletionRequest, "messages" | "isWider">,
  { signal, onDelta, onThinking, onRestart }: GenerateOptions,
  usage: Usage,
): Promise<Attempt<T>> {
  const request = {
    ...asked,
    schema: prompt.schema,
    schemaName: prompt.name,
    limits: prompt.limits,
    signal,
    allowCutShort: true,
    ...(onDelta && { onThinking, onRestart }),
  };
  try {
    const completion = await whileAway(() =>
      onDelta ? drain(provider.stream(request), onDelta) : provider.complete(request),
    );
    usage.model = completion.model;
    usage.ms += completion.ms;
    Object.assign(usage, addTokens(usage, completion));
    const { text, cutShort: isCutShort } = completion;
    const reading = prompt.read(text);
    return { text, isCutShort, reading: isCutShort ? halfReading(text, reading) : reading };
  } catch (error) {
    Object.assign(usage, addTokens(usage, tokensOf(error)));
    if (!isAppError(error, "AI_BAD_ANSWER")) throw error;
    return { ...NOTHING_READ, failure: error };
  }
}

/** A half answer is used only if no whole one follows. */
function halfReading<T>(text: string, reading: Reading<T>): Reading<T> {
  const usable = reading.ok ? reading.value : reading.usable;
  const problem = "It was cut off before its end. Think less, and answer in full, but more briefly.";
  return { ok: false, problem, ...(text !== "" && usable !== undefined && { usable }) };
}

async function drain(stream: AsyncGenerator<string, Completion, void>, onDelta: (delta: string) => void) {
  for (;;) {
    const next = await stream.next();
    if (next.done) return next.value;
    onDelta(next.value);
  }
}

// Enough for the provider to see its mistake, without paying for a runaway answer twice.
const MAX_QUOTED = 8_000;

function correction<T>({ text, isCutShort, reading }: Attempt<T>): ChatMessage[] {
  const problem = reading.ok ? "" : reading.problem;
  const content = `Your last answer could not be used: ${problem} Answer again in full, following the instructions above exactly.`;
  if (!text || isCutShort) return [{ role: "user", content }];
  return [
    { role: "assistant", content: text.slice(0, MAX_QUOTED) },
    { role: "user", content },
  ];
}
