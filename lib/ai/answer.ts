import { APIError } from "openai";
import { type ContentPart, readContent } from "@/lib/ai/content";
import type { ToolCall } from "@/lib/ai/prompts/prompt";
import { createThoughtSplitter, type Split, type ThoughtSplitter } from "@/lib/ai/thoughts";
import { NO_TOKENS, type TokenCounts } from "@/lib/ai/tokens";
import { mergeDelta, type RawMessage, rawToSendBack, readToolCalls } from "@/lib/ai/tool-calls";
import { AppError } from "@/lib/errors";
import { storableUpTo } from "@/lib/utils/text";

/**
 * Reads answers with status 200, whole or in chunks. A proxy may send anything, so no type is trusted: whatever is unusable
 * becomes AI_BAD_ANSWER.
 */
export type Answer = {
  /** Without thoughts. */
  text: string;
  finish: string | null;
  isDeclined: boolean;
  /** Has anything of the protocol arrived? */
  hasBegun: boolean;
  model?: string;
  tokens: TokenCounts;
  /** The assistant's message as the provider wrote it, thoughts and its own members included. */
  message: RawMessage;
  splitter: ThoughtSplitter;
};

export type Completion = TokenCounts & {
  text: string;
  cutShort: boolean;
  model: string;
  /** Covers the whole call. */
  ms: number;
};

/** `holdBack`: how many characters may be thoughts that nothing opens. */
export function emptyAnswer(holdBack = 0): Answer {
  return {
    text: "",
    finish: null,
    isDeclined: false,
    hasBegun: false,
    tokens: NO_TOKENS,
    message: {},
    splitter: createThoughtSplitter({ holdBack }),
  };
}

/** Adds a chunk of a stream and returns what it shows. */
export function addChunk(chunk: unknown, answer: Answer): Split {
  const { choices, x_groq, ...about } = members(chunk);
  const choice = members(Array.isArray(choices) ? choices[0] : undefined);
  throwNamed(about, choice);
  const { role: _, ...delta } = members(choice.delta);
  mergeDelta(answer.message, delta);
  return addPart(answer, { usage: members(x_groq).usage, ...about, choice, content: delta });
}

/** Adds an answer that came whole and returns its text. */
export function addWhole(body: unknown, answer: Answer): Split {
  if (typeof body !== "object" || body === null) return unusable("The answer was not JSON");
  const { choices, ...about } = members(body);
  const choice = members(Array.isArray(choices) ? choices[0] : undefined);
  throwNamed(about, choice);
  if (!Array.isArray(choices)) return unusable("The answer had no choices");
  answer.message = { ...members(choice.message) };
  return addPart(answer, { ...about, choice, content: answer.message });
}

type Part = { model?: unknown; usage?: unknown; choice: Record<string, unknown>; content: Record<string, unknown> };

function addPart(answer: Answer, { model, usage, choice, content }: Part): Split {
  answer.hasBegun = true;
  if (typeof model === "string" && model !== "") answer.model = storableUpTo(model, MAX_NAME);
  if (usage) answer.tokens = countTokens(members(usage));
  if (typeof choice.finish_reason === "string" && choice.finish_reason) answer.finish = choice.finish_reason;
  const shown = { text: "", restart: false, isThinking: false };
  for (const part of readContent(content)) {
    const split = addContent(answer, part);
    shown.text = split.restart ? split.text : shown.text + split.text;
    shown.restart ||= split.restart;
    shown.isThinking = split.isThinking;
  }
  return show(answer, shown);
}

function addContent(answer: Answer, { kind, text }: ContentPart): Split {
  if (kind === "text") return answer.splitter.push(text);
  if (kind === "refusal") answer.isDeclined = true;
  return { text: "", restart: false, isThinking: kind === "thoughts" };
}

/** Ends an answer after its last chunk and returns what was held back. */
export function endAnswer(answer: Answer): Split {
  return show(answer, answer.splitter.end());
}

function show(answer: Answer, shown: Split): Split {
  answer.text = shown.restart ? shown.text : answer.text + shown.text;
  return shown;
}

/** vLLM's errors are objects of their own kind; OpenRouter's stand beside the choices or in the first one. */
function throwNamed(about: Record<string, unknown>, choice: Record<string, unknown>): void {
  if (about.object === "error") throw namedFailure(about);
  if (about.error || choice.error) throw namedFailure(about.error || choice.error);
}

/**
 * The failure that an answer with status 200 names: OpenRouter answers with what its own provider said, and puts that status
 * into `code`.
 */
export function namedFailure(error: unknown, headers = new Headers()): APIError {
  const status = Number(members(error).code);
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
  // The class for a known status needs one; that of a failure inside a stream has none.
  return isStatus
    ? APIError.generate(status, { error: members(error) }, undefined, headers)
    : new APIError(undefined, members(error), undefined, headers);
}

/** What may be missing from an answer. */
export type Allowed = { allowCutShort?: boolean | undefined; allowEmpty?: boolean | undefined };

/** The completion of an answer that has ended. Throws AI_DECLINED and AI_BAD_ANSWER. */
export function finishAnswer(
  answer: Pick<Answer, "text" | "finish" | "isDeclined" | "model" | "tokens">,
  { allowCutShort = false, allowEmpty = false }: Allowed,
): Omit<Completion, "ms" | "model"> & { model?: string } {
  if (answer.isDeclined || answer.finish === "content_filter") throw new AppError("AI_DECLINED");
  if (answer.finish === "error") throw namedFailure(undefined);
  const cutShort = answer.finish === "length";
  if (cutShort && !allowCutShort) unusable("The answer ran into its token limit");
  const text = storableUpTo(answer.text.trim(), MAX_TEXT).trim();
  if (!text && !cutShort && !allowEmpty) unusable("The answer was empty");
  return { text, cutShort, ...(answer.model && { model: answer.model }), ...answer.tokens };
}

/** An answer's tool calls, and its message in the form in which it goes back within the turn. */
export function toolCallsOf(answer: Answer): { toolCalls: ToolCall[]; message?: RawMessage } {
  const toolCalls = readToolCalls(answer.message);
  const message = rawToSendBack(answer.message, toolCalls);
  return { toolCalls, ...(message && { message }) };
}

/** The longest piece we store. */
const MAX_TEXT = 500_000;
const MAX_NAME = 200;

/** DeepSeek has a member of its own for what its cache held. */
function countTokens(usage: Record<string, unknown>): TokenCounts {
  return {
    tokensIn: tokens(usage.prompt_tokens),
    tokensOut: tokens(usage.completion_tokens),
    tokensCached: tokens(members(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens),
    tokensReasoning: tokens(members(usage.completion_tokens_details).reasoning_tokens),
  };
}

/** More than any call costs, and small enough to add up a whole piece's calls. */
const MAX_TOKENS = 10_000_000;

function tokens(count: unknown): number {
  return Math.min(Math.max(Math.trunc(Number(count)) || 0, 0), MAX_TOKENS);
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function unusable(why: string): never {
  throw new AppError("AI_BAD_ANSWER", { cause: new Error(why) });
}
