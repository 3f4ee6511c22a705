import { APIError } from "openai";

/**
 * What one model of one provider accepts. Compatible providers differ in these four; what is refused is left out and
 * remembered, so that the refusal is paid for once.
 */
export type Dialect = {
  temperature: boolean;
  tokenLimit: "max_tokens" | "max_completion_tokens" | null;
  jsonSchema: boolean;
  streamUsage: boolean;
};

const NOTHING_REFUSED: Dialect = { temperature: true, tokenLimit: "max_tokens", jsonSchema: true, streamUsage: true };

// Base URLs and models come from the operator's environment, so this stays as small as that list.
const remembered = new Map<string, Dialect>();

export function dialectOf(baseUrl: string, model: string): Dialect {
  return remembered.get(`${baseUrl} ${model}`) ?? NOTHING_REFUSED;
}

/** Remembers what this refusal refuses; false when it refuses something else, which sending again cannot mend. */
export function learnFrom(error: unknown, sent: SentParameters, baseUrl: string, model: string): boolean {
  const change = refusedIn(error, sent);
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

function refusedIn(error: unknown, sent: SentParameters): Partial<Dialect> | null {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return null;
  if (error.code === "context_length_exceeded") return null;
  // `param` is exact where a provider gives it; the others only name the parameter in their sentence.
  const named = (error.param || error.message).toLowerCase();
  if (sent.max_tokens !== undefined && /\bmax_tokens\b/.test(named)) return { tokenLimit: "max_completion_tokens" };
  if (sent.max_completion_tokens !== undefined && /\bmax_(completion_)?tokens\b/.test(named))
    return { tokenLimit: null };
  if (sent.temperature !== undefined && /\btemperature\b/.test(named)) return { temperature: false };
  if (sent.response_format !== undefined && /response[_ ]?format|json[_ ]schema|structured output/.test(named))
    return { jsonSchema: false };
  if (sent.stream_options !== undefined && /stream_options|include_usage/.test(named)) return { streamUsage: false };
  return null;
}
