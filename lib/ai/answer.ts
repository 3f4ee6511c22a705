import { APIError } from "openai";
import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ToolCall } from "@/lib/ai/prompts/prompt";
import { AppError } from "@/lib/errors";
import { storableUpTo } from "@/lib/utils/text";

/**
 * Reads responses with status 200. A proxy may send anything, so the declared types are not trusted: whatever is
 * unusable becomes AI_BAD_ANSWER.
 */
export type Answer = { text: string; finish: string | null; model?: string; usage?: { in: number; out: number } };

/** Tokens are 0 when the provider does not count them; `ms` covers the whole call. */
export type Completion = {
  text: string;
  cutShort: boolean;
  model: string;
  tokensIn: number;
  tokensOut: number;
  ms: number;
};

export function emptyAnswer(): Answer {
  return { text: "", finish: null };
}

export function readAnswer(answer: Partial<ChatCompletion> | string | null | undefined): Answer {
  if (typeof answer !== "object" || answer === null) return unusable("The answer was not JSON");
  if (!Array.isArray(answer.choices)) {
    if ("error" in answer) throw new APIError(undefined, Object(answer.error), undefined, undefined);
    return unusable("The answer had no choices");
  }
  const choice = answer.choices[0];
  if (choice?.message?.refusal) throw declined();
  const content: unknown = choice?.message?.content;
  return {
    text: typeof content === "string" ? content : "",
    finish: choice?.finish_reason ?? null,
    ...named(answer.model),
    usage: countTokens(answer.usage),
  };
}

/** Skips whatever is not a function call. */
export function readToolCalls(answer: Partial<ChatCompletion> | null | undefined): ToolCall[] {
  const calls: unknown = answer?.choices?.[0]?.message?.tool_calls;
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null, index) => {
    const { name, arguments: input } = call?.function ?? {};
    if (typeof name !== "string") return [];
    const id = typeof call?.id === "string" && call.id !== "" ? call.id : `call-${index}`;
    return [{ id, name, input: typeof input === "string" ? input : JSON.stringify(input ?? {}) }];
  });
}

/** Adds a chunk to the answer and returns its text. */
export function addChunk(chunk: Partial<ChatCompletionChunk>, answer: Answer): string {
  const choice = Array.isArray(chunk?.choices) ? chunk.choices[0] : undefined;
  if (choice?.delta?.refusal) throw declined();
  const content: unknown = choice?.delta?.content;
  const delta = typeof content === "string" ? content : "";
  answer.text += delta;
  if (choice?.finish_reason) answer.finish = choice.finish_reason;
  Object.assign(answer, named(chunk?.model));
  if (chunk?.usage) answer.usage = countTokens(chunk.usage);
  return delta;
}

/** What may be missing from an answer. */
export type Allowed = { allowCutShort?: boolean | undefined; allowEmpty?: boolean | undefined };

export function finishAnswer(
  answer: Answer,
  { allowCutShort = false, allowEmpty = false }: Allowed,
): Omit<Completion, "ms" | "model"> & { model?: string } {
  if (answer.finish === "content_filter") throw declined();
  const cutShort = answer.finish === "length";
  if (cutShort && !allowCutShort) unusable("The answer ran into its token limit");
  // Open reasoning models put their thoughts first.
  const text = storableUpTo(answer.text.replace(/^\s*<think>[\s\S]*?<\/think>/, "").trim(), MAX_TEXT).trim();
  if (!text && !cutShort && !allowEmpty) unusable("The answer was empty");
  return {
    text,
    cutShort,
    ...(answer.model && { model: answer.model }),
    tokensIn: answer.usage?.in ?? 0,
    tokensOut: answer.usage?.out ?? 0,
  };
}

/** The longest piece we store. */
const MAX_TEXT = 500_000;
const MAX_NAME = 200;

function named(model: unknown): { model?: string } {
  return typeof model === "string" && model !== "" ? { model: storableUpTo(model, MAX_NAME) } : {};
}

function countTokens(usage: { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined) {
  return { in: tokens(usage?.prompt_tokens), out: tokens(usage?.completion_tokens) };
}

/** More than any call costs, and small enough to add up a whole piece's calls. */
const MAX_TOKENS = 10_000_000;

function tokens(count: unknown): number {
  return Math.min(Math.max(Math.trunc(Number(count)) || 0, 0), MAX_TOKENS);
}

function declined(): AppError {
  return new AppError("AI_DECLINED");
}

function unusable(why: string): never {
  throw new AppError("AI_BAD_ANSWER", { cause: new Error(why) });
}
