import { APIError } from "openai";
import { outcomeOf, readRefusal } from "@/lib/ai/refusal-body";
import { boundedCache } from "@/lib/utils/bounded";

/**
 * What a provider's model accepts. Compatible providers differ in these; a rejected parameter is dropped and remembered, so
 * that it costs one call only.
 */
export type Dialect = {
  temperature: boolean;
  tokenLimit: "max_tokens" | "max_completion_tokens" | null;
  jsonSchema: boolean;
  streamUsage: boolean;
  stream: boolean;
  reasoningEffort: boolean;
  /** A call without a token limit is refused. */
  needsTokenLimit: boolean;
  /** An assistant's message may go back with the members that the provider itself gave it. */
  ownMembers: boolean;
  /** Its thoughts have come without an opening mark. */
  unopenedThoughts: boolean;
};

const ACCEPTS_ALL: Dialect = {
  temperature: true,
  tokenLimit: "max_tokens",
  jsonSchema: true,
  streamUsage: true,
  stream: true,
  reasoningEffort: true,
  needsTokenLimit: false,
  ownMembers: true,
  unopenedThoughts: false,
};

const remembered = boundedCache<string, Dialect>(
  "dialects",
  100,
  "Base URLs and models come from the operator's environment. One that is forgotten costs a refused call.",
);

export function dialectOf(baseUrl: string, model: string): Dialect {
  return remembered.get(`${baseUrl} ${model}`) ?? ACCEPTS_ALL;
}

/** Remembers a rejected parameter; false for other errors, which a retry cannot fix. */
export function learnRefusal(error: unknown, sent: SentParameters, baseUrl: string, model: string): boolean {
  const change = rejectedParameter(error, sent);
  if (change) learn(change, baseUrl, model);
  return change !== null;
}

/** Remembers how a model has answered. */
export function learn(change: Partial<Dialect>, baseUrl: string, model: string): void {
  remembered.set(`${baseUrl} ${model}`, { ...dialectOf(baseUrl, model), ...change });
}

type SentParameters = {
  temperature?: unknown;
  max_tokens?: unknown;
  max_completion_tokens?: unknown;
  response_format?: unknown;
  stream_options?: unknown;
  stream?: unknown;
  reasoning_effort?: unknown;
  messages?: object[];
};

function rejectedParameter(error: unknown, sent: SentParameters): Partial<Dialect> | null {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return null;
  if (outcomeOf(readRefusal(error)) !== undefined) return null;
  // `param` is exact; providers without it name the parameter only in the message.
  const text = (error.param || error.message).toLowerCase();
  if (sent.max_tokens !== undefined && /\bmax_tokens\b/.test(text)) return { tokenLimit: "max_completion_tokens" };
  if (sent.max_completion_tokens !== undefined && /\bmax_(completion_)?tokens\b/.test(text))
    return { tokenLimit: null };
  if (sent.temperature !== undefined && /\btemperature\b/.test(text)) return { temperature: false };
  if (sent.response_format !== undefined && /response[_ ]?format|json[_ ]schema|structured output/.test(text))
    return { jsonSchema: false };
  if (sent.stream_options !== undefined && /stream_options|include_usage/.test(text)) return { streamUsage: false };
  if (sent.reasoning_effort !== undefined && /reasoning[_ ]effort/.test(text)) return { reasoningEffort: false };
  if (
    sent.max_tokens === undefined &&
    sent.max_completion_tokens === undefined &&
    /\bmax_(completion_)?tokens\b/.test(text)
  )
    return { needsTokenLimit: true };
  if (ownMembersOf(sent.messages).some((name) => text.includes(name))) return { ownMembers: false };
  if (sent.stream === true && /\bstream(ing)?\b/.test(text)) return { stream: false };
  return null;
}

/** Members that only some providers know. */
function ownMembersOf(messages: object[] = []): string[] {
  const names = messages.flatMap((message) => Object.keys(message));
  return [...new Set(names)].filter((name) => !COMMON_MEMBERS.has(name));
}

const COMMON_MEMBERS = new Set(["role", "content", "tool_calls", "tool_call_id", "name"]);
