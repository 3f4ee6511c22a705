import type { z } from "zod";
import { readJson } from "@/lib/ai/read-json";

/**
 * One ask of the AI provider, complete and pure: the same input gives the same prompt. `version` is stored with what it
 * wrote and goes up with every change of wording; `limits` are sent only to providers that accept them.
 */
export type Prompt<T> = {
  name: string;
  version: string;
  messages: ChatMessage[];
  /** The shape of a structured answer; absent for plain text. Bounds that not every provider accepts are left to `read`. */
  schema?: z.ZodType;
  limits: CallLimits;
  /** Reads the provider's text. Never throws. */
  read: (text: string) => Reading<T>;
};

export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

/** What the provider asks to have done; `input` is JSON as it wrote it, not yet looked at. */
export type ToolCall = { id: string; name: string; input: string };

/** A conversation with tools: an answer that asks for some, and what came of each. */
export type ToolTurn =
  | ChatMessage
  | { role: "assistant"; content: string; toolCalls: ToolCall[] }
  | { role: "tool"; callId: string; content: string };

/** A tool as the provider is told of it; `parameters` is JSON Schema. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> };

export type CallLimits = {
  /** Longest answer, in tokens. */
  maxTokens?: number;
  temperature?: number;
};

/**
 * What a prompt made of an answer. `problem` is one sentence for the provider, which is asked once more; `usable` is
 * what may be taken in the end if the second answer is no better.
 */
export type Reading<T> = { ok: true; value: T } | { ok: false; problem: string; usable?: T };

/** A `read` for structured answers: finds the JSON, holds it to the schema, then lets `check` judge it. */
export function readStructured<A, T>(
  schema: z.ZodType<A>,
  check: (answer: A) => Reading<T>,
): (text: string) => Reading<T> {
  return (text) => {
    const found = readJson(text);
    if (!found.ok) return { ok: false, problem: "It was not a JSON value." };
    const parsed = schema.safeParse(found.value);
    if (parsed.success) return check(parsed.data);
    const wrong = parsed.error.issues
      .slice(0, 3)
      .map((issue) => `${issue.path.join(".") || "the value"}: ${issue.message}`);
    return { ok: false, problem: `The JSON did not match the schema (${wrong.join("; ")}).`.slice(0, 500) };
  };
}
