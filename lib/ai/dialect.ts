import { APIError } from "openai";
import { outcomeOf, readRefusal } from "@/lib/ai/refusal-body";

/**
 * What a provider's model accepts. Compatible providers differ in these four; a rejected parameter is dropped and
 * remembered, so that it costs one call only.
 */
export type Dialect = {
  temperature: boolean;
  tokenLimit: "max_tokens" | "max_completion_tokens" | null;
  jsonSchema: boolean;
  streamUsage: boolean;
};

const ACCEPTS_ALL: Dialect = { temperature: true, tokenLimit: "max_tokens", jsonSchema: true, streamUsage: true };

// It stays small: base URLs and models come from the operator's environment.
const remembered = new Map<string, Dialect>();

export function dialectOf(baseUrl: string, model: string): Dialect {
  return remembered.get(`${baseUrl} ${model}`) ?? ACCEPTS_ALL;
}

/** Remembers a rejected parameter; false for other errors, which a retry cannot fix. */
export function learnRefusal(error: unknown, sent: SentParameters, baseUrl: string, model: string): boolean {
  const change = rejectedParameter(error, sent);
  if (!change) return false;
  remembered.set(`${baseUrl} ${model}`, { ...dialectOf(baseUrl, model), ...change });
  return true;
}

type SentParameters = {
  temperature?: unknown;
  max_tokens?: unknown;
  max_completion_tokens?: unknown;
  response_format?: unknown;
  stream_options?: unknown;
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
  return null;
}
