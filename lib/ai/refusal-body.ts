import { APIError } from "openai";
import { z } from "zod";
import { MODERATION_REASONS, type Outcome, REFUSALS, type Row, WEB_PAGE } from "@/lib/ai/refusals";

/** What a provider said when it refused a call, whatever the shape of its answer. */
export type Refusal = {
  /** 0 for an error inside an answer that gives no status. */
  status: number;
  /** Codes, types, statuses and reasons, in lower case. */
  names: string[];
  /** All its words, in lower case. */
  words: string;
  /** Its own sentence, as it came; "" if it gave none. */
  sentence: string;
  /** The wait that the body asks for. */
  retrySeconds?: number | undefined;
};

/** More than any documented error. */
const MAX_BODY = 64 * 1024;

/**
 * Puts an error's body where the client library keeps it: the library drops one that is a list, a page, or has no member
 * `error`.
 */
export async function keepErrorBody(response: Response): Promise<Response> {
  if (response.ok || !response.body) return response;
  const text = await startOf(response.body).catch(() => "");
  const body = readJson(text);
  const isKept = wrapped.safeParse(body).success;
  return new Response(JSON.stringify(isKept ? body : { error: body ?? text }), response);
}

const wrapped = z.looseObject({ error: z.looseObject({}) });

async function startOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BODY) break;
  }
  return text.slice(0, MAX_BODY);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The refusal in an error of the client library, from a response with a status or inside an answer. */
export function readRefusal(error: APIError): Refusal {
  const said: Said = { names: [], sentences: [] };
  gather(error.error, said, 0);
  const status = error.status ?? said.names.map(Number).find((code) => code >= 400 && code <= 599) ?? 0;
  return {
    status,
    names: said.names,
    words: said.sentences.join("\n").toLowerCase(),
    sentence: said.sentences.find((one) => !isPage(one)) ?? "",
    retrySeconds: said.retrySeconds,
  };
}

export function outcomeOf(refusal: Refusal): Outcome | undefined {
  if (isBeyondLimit(refusal)) return "too-large";
  return rowOf(refusal)?.outcome;
}

/** The row of the table that decides. */
export function rowOf(refusal: Refusal): Row | undefined {
  return REFUSALS.find((row) => matches(row, refusal));
}

function matches({ statuses, names, words }: Row, refusal: Refusal): boolean {
  if (statuses && !statuses.includes(refusal.status)) return false;
  if (names && !names.some((name) => refusal.names.includes(name))) return false;
  return !words || words.some((phrase) => says(refusal.words, phrase));
}

/** An ellipsis in a phrase stands for any words between. */
function says(words: string, phrase: string): boolean {
  let from = 0;
  return phrase.split("…").every((part) => {
    const at = words.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** `Limit 6000, Requested 7300`: no wait makes room for it. `Used 5000` in between means a limit that passes. */
const LIMIT = /\blimit:? (\d+), requested:? (\d+)/;

function isBeyondLimit({ words }: Refusal): boolean {
  const [, limit, requested] = LIMIT.exec(words) ?? [];
  return limit !== undefined && Number(requested) > Number(limit);
}

/** `maximum context length is 4096 tokens`, and what the prompt takes of it, in the words of OpenAI and of vLLM. */
const CONTEXT = /maximum context length is (\d+) tokens/;
const PROMPT = /\((\d+) in the messages|your request has (\d+) input tokens/;

/**
 * The token limit that would fit, where the one that was sent made the request too large; undefined if the provider does not
 * say, or leaves too little for an answer.
 */
export function fittingTokens(error: unknown, sent: number | undefined): number | undefined {
  if (!(error instanceof APIError) || sent === undefined) return undefined;
  const refusal = readRefusal(error);
  if (outcomeOf(refusal) !== "too-large") return undefined;
  const left = tokensLeft(refusal.words, sent);
  return left !== undefined && left >= MIN_TOKENS && left < sent ? left : undefined;
}

/** Less is no answer that anybody can use. */
const MIN_TOKENS = 1_000;

/** `This model supports at most 4096 completion tokens`. */
const AT_MOST = /supports at most (\d+) completion tokens/;

function tokensLeft(words: string, sent: number): number | undefined {
  const [, limit, requested] = LIMIT.exec(words) ?? [];
  if (limit !== undefined) return Number(limit) - (Number(requested) - sent);
  const [, most] = AT_MOST.exec(words) ?? [];
  if (most !== undefined) return Number(most);
  const [, context] = CONTEXT.exec(words) ?? [];
  const [, inMessages, input] = PROMPT.exec(words) ?? [];
  const prompt = inMessages ?? input;
  return context !== undefined && prompt !== undefined ? Number(context) - Number(prompt) : undefined;
}

type Said = { names: string[]; sentences: string[]; retrySeconds?: number };

const word = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

/** The members that providers use; the others may quote the prompt. */
const node = z.object({
  code: word,
  type: word,
  status: word,
  reason: word,
  message: z.unknown().optional(),
  msg: z.unknown().optional(),
  raw: z.unknown().optional(),
  error: z.unknown().optional(),
  detail: z.unknown().optional(),
  details: z.unknown().optional(),
  innererror: z.unknown().optional(),
  metadata: z.unknown().optional(),
  reasons: z.array(z.unknown()).optional().catch(undefined),
  retryDelay: z
    .string()
    .regex(/^\d{1,7}(\.\d+)?s$/)
    .optional()
    .catch(undefined),
});

const MAX_DEPTH = 6;
const MAX_ITEMS = 10;

/** Collects names and sentences: errors come in lists, as bare strings, as JSON inside a message, and below one another. */
function gather(value: unknown, said: Said, depth: number): void {
  if (depth > MAX_DEPTH || value === null || value === undefined) return;
  if (typeof value === "string") gatherText(value, said, depth);
  else if (Array.isArray(value)) for (const item of value.slice(0, MAX_ITEMS)) gather(item, said, depth + 1);
  else gatherMembers(value, said, depth);
}

function gatherMembers(value: unknown, said: Said, depth: number): void {
  const read = node.safeParse(value).data;
  if (!read) return;
  for (const name of [read.code, read.type, read.status, read.reason]) if (name) said.names.push(name.toLowerCase());
  if (read.reasons && read.reasons.length > 0) said.names.push(MODERATION_REASONS);
  if (read.retryDelay) said.retrySeconds = Number.parseFloat(read.retryDelay);
  const { message, msg, error, detail, raw, innererror, details, metadata } = read;
  // What another provider said behind a router is in `metadata`, and says more.
  for (const part of [metadata, raw, message, msg, error, detail, innererror, details]) gather(part, said, depth + 1);
}

function gatherText(text: string, said: Said, depth: number): void {
  const trimmed = text.trim();
  const inside = /^[[{]/.test(trimmed) ? readJson(trimmed) : undefined;
  if (inside !== undefined) gather(inside, said, depth + 1);
  else if (trimmed) said.sentences.push(trimmed);
  if (isPage(trimmed)) said.names.push(WEB_PAGE);
}

function isPage(text: string): boolean {
  return text.startsWith("<");
}
