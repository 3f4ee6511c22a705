import type { z } from "zod";
import { readJson } from "@/lib/ai/read-json";

/**
 * A complete, pure request to the AI provider. `version` is stored with the result and rises with every change of
 * wording; `limits` go only to providers that accept them.
 */
export type Prompt<T> = {
  name: string;
  version: string;
  messages: ChatMessage[];
  /** The shape of a structured answer; absent for plain text. `read` checks bounds that not every provider accepts. */
  schema?: z.ZodType;
  limits: CallLimits;
  /** Never throws. */
  read: (text: string) => Reading<T>;
};

export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

/** `input` is the provider's JSON, not yet validated. */
export type ToolCall = { id: string; name: string; input: string };

export type ToolTurn =
  | ChatMessage
  | {
      role: "assistant";
      content: string;
      toolCalls: ToolCall[];
      /** As the provider wrote it, to be sent back in the same turn only. */
      message?: Record<string, unknown>;
    }
  | { role: "tool"; callId: string; content: string };

/** `parameters` is JSON Schema. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> };

export type CallLimits = {
  maxTokens?: number;
  temperature?: number;
};

/**
 * A prompt's verdict on an answer. `problem` is one sentence for the provider, which gets a second attempt; `usable` is
 * accepted if that is no better.
 */
export type Reading<T> = { ok: true; value: T } | { ok: false; problem: string; usable?: T };

/** Finds the JSON, validates it and lets `check` judge it. */
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
