import "server-only";
import type { Completion } from "@/lib/ai/answer";
import type { ChatMessage, Prompt, Reading } from "@/lib/ai/prompts/prompt";
import type { AiProvider } from "@/lib/ai/provider";
import { AppError, isAppError } from "@/lib/errors";
import { whileAway } from "@/lib/limits/place";

/** Stored with a generated text. Tokens and ms cover both attempts. */
export type Usage = { model: string; promptVersion: string; tokensIn: number; tokensOut: number; ms: number };

export type GenerateOptions = {
  signal?: AbortSignal;
  onDelta?: (delta: string) => void;
  /** Discard what was streamed: a second attempt follows. */
  onRestart?: () => void;
};

/**
 * Runs a prompt. An answer that is unreadable, cut short or fails the prompt's check is requested once more with the
 * reason; then the better usable one is returned, else it rejects with AI_BAD_ANSWER. Other provider failures (see
 * provider.ts) reject at once. Each attempt has its own time-out.
 */
export async function generate<T>(
  provider: AiProvider,
  prompt: Prompt<T>,
  options: GenerateOptions = {},
): Promise<{ value: T; usage: Usage }> {
  const usage: Usage = { model: "", promptVersion: prompt.version, tokensIn: 0, tokensOut: 0, ms: 0 };
  const first = await attempt(provider, prompt, prompt.messages, options, usage);
  if (first.reading.ok) return { value: first.reading.value, usage };
  options.onRestart?.();
  const messages = [...prompt.messages, ...correction(first)];
  const second = await attempt(provider, prompt, messages, options, usage);
  if (second.reading.ok) return { value: second.reading.value, usage };
  if (second.reading.usable !== undefined) return { value: second.reading.usable, usage };
  if (first.reading.usable !== undefined) return { value: first.reading.usable, usage };
  throw second.failure ?? new AppError("AI_BAD_ANSWER", { cause: new Error(`${prompt.version} was not usable twice`) });
}

type Attempt<T> = { text: string; reading: Reading<T>; failure?: AppError };

async function attempt<T>(
  provider: AiProvider,
  prompt: Prompt<T>,
  messages: ChatMessage[],
  { signal, onDelta }: GenerateOptions,
  usage: Usage,
): Promise<Attempt<T>> {
  const request = {
    messages,
    schema: prompt.schema,
    schemaName: prompt.name,
    limits: prompt.limits,
    signal,
    allowCutShort: true,
  };
  try {
    const completion = await whileAway(() =>
      onDelta ? drain(provider.stream(request), onDelta) : provider.complete(request),
    );
    usage.model = completion.model;
    usage.tokensIn += completion.tokensIn;
    usage.tokensOut += completion.tokensOut;
    usage.ms += completion.ms;
    const reading: Reading<T> = completion.cutShort
      ? { ok: false, problem: "It was cut off before its end. Answer in full, but more briefly." }
      : prompt.read(completion.text);
    return { text: completion.text, reading };
  } catch (error) {
    if (!isAppError(error, "AI_BAD_ANSWER")) throw error;
    return { text: "", reading: { ok: false, problem: "It was empty or not readable." }, failure: error };
  }
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

function correction<T>(failed: Attempt<T>): ChatMessage[] {
  const problem = failed.reading.ok ? "" : failed.reading.problem;
  const content = `Your last answer could not be used: ${problem} Answer again in full, following the instructions above exactly.`;
  if (!failed.text) return [{ role: "user", content }];
  return [
    { role: "assistant", content: failed.text.slice(0, MAX_QUOTED) },
    { role: "user", content },
  ];
}
