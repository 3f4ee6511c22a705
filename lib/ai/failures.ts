import { APIConnectionTimeoutError, APIError } from "openai";
import { outcomeOf, type Refusal, readRefusal } from "@/lib/ai/refusal-body";
import type { Outcome } from "@/lib/ai/refusals";
import { AppError, CALL_MESSAGES, type ErrorType, PROVIDER_SAYS, tryAgainIn } from "@/lib/errors";
import { plainSentence } from "@/lib/utils/plain-text";
import { secretFinder } from "@/lib/utils/secret-in-text";

/**
 * Maps an error of the provider to the catalogue; refusals by the table in refusals.ts. Anything unreadable is AI_BAD_ANSWER; the
 * rest, broken connections included, is AI_PROVIDER_ERROR.
 *
 * `sent` are the texts of the call: where they are given, the provider's own sentence is the `detail`, unless it quotes them
 * or the key.
 */
export function classifyFailure(error: unknown, secret: string, sent?: string[]): AppError {
  if (error instanceof AppError) return error;
  const cause = new ProviderFailure(error, secret);
  if (error instanceof APIConnectionTimeoutError) return new AppError("AI_TIMEOUT", { cause });
  if (causes(error).some((cause) => cause instanceof AnswerTooLarge) || error instanceof SyntaxError)
    return new AppError("AI_BAD_ANSWER", { cause });
  if (!(error instanceof APIError)) return new AppError("AI_PROVIDER_ERROR", { cause });
  const refusal = readRefusal(error);
  const outcome = outcomeOf(refusal);
  const said = sent && quotable(refusal.sentence, secret, sent);
  if (outcome === "limit") return rateLimited(waitOf(error.headers, refusal), cause);
  const { type, message } = outcome ? FAILURES[outcome] : { type: "AI_PROVIDER_ERROR" as const, message: undefined };
  return new RefusedByProvider(type, { message, cause }, { outcome, said });
}

/** A refusal, and what its sentence said. No log gets that: loggers print enumerable members only. */
export class RefusedByProvider extends AppError {
  readonly outcome: Outcome | undefined;

  constructor(
    type: ErrorType,
    options: { message?: string | undefined; cause?: unknown },
    { outcome, said }: { outcome: Outcome | undefined; said?: string | undefined },
  ) {
    super(type, { cause: options.cause, ...(options.message && { message: options.message }) });
    this.outcome = outcome;
    const details = said ? { detail: `${PROVIDER_SAYS} “${said}”` } : undefined;
    Object.defineProperty(this, "details", { value: details, enumerable: false });
  }
}

const FAILURES: Record<Exclude<Outcome, "limit">, { type: ErrorType; message?: string }> = {
  key: { type: "INVALID_API_KEY" },
  declined: { type: "AI_DECLINED" },
  "too-large": { type: "AI_TOO_LARGE" },
  timeout: { type: "AI_TIMEOUT" },
  denied: { type: "AI_ACCESS_DENIED" },
  country: {
    type: "AI_ACCESS_DENIED",
    message:
      "The AI provider does not serve the country where this site's server is. Your API key is not the problem: contact the site's operator.",
  },
  project: {
    type: "AI_ACCESS_DENIED",
    message:
      "Your account with the AI provider is not allowed to use this model. Turn the model on in your account or project there, then try again.",
  },
  firewall: {
    type: "AI_ACCESS_DENIED",
    message:
      "A firewall kept this site's server from reaching the AI provider. Your API key is not the problem: contact the site's operator.",
  },
  "no-model": {
    type: "AI_ACCESS_DENIED",
    message:
      "The AI provider does not have the model that this site is set up to use. Ask the site's operator to choose another.",
  },
  "no-tools": {
    type: "AI_PROVIDER_ERROR",
    message:
      "The model that this site is set up to use does not support tools. Ask the site's operator to choose another.",
  },
  credit: {
    type: "AI_PROVIDER_ERROR",
    message: "Your account with the AI provider has no credit left. Check your plan and billing there, then try again.",
  },
  address: {
    type: "AI_PROVIDER_ERROR",
    message:
      "There is no AI provider at the address that this site is set up to use. Ask the site's operator to check it.",
  },
};

function rateLimited(seconds: number | undefined, cause: ProviderFailure): AppError {
  if (seconds === undefined) return new AppError("AI_RATE_LIMITED", { cause });
  const message = `${CALL_MESSAGES.aiLimits} ${tryAgainIn(seconds)}`;
  return new AppError("AI_RATE_LIMITED", { message, retryAfter: seconds, cause });
}

/** The provider's sentence as plain text; undefined where it quotes the key or the texts that were sent. */
function quotable(sentence: string, secret: string, sent: string[]): string | undefined {
  const words = plainSentence(sentence);
  if (words === "" || secretFinder(secret, SECRET_RUN)(words) || quotes(words, sent)) return undefined;
  return words;
}

/** As many characters of the key in a row give it away. */
const SECRET_RUN = 8;
/** As many characters of a text in a row are a quotation. */
const QUOTED_RUN = 30;

function quotes(words: string, sent: string[]): boolean {
  const texts = sent.map(comparable);
  const quoted = comparable(words);
  for (let from = 0; from + QUOTED_RUN <= quoted.length; from++) {
    const run = quoted.slice(from, from + QUOTED_RUN);
    if (texts.some((text) => text.includes(run))) return true;
  }
  return false;
}

/** Spacing, case and escapes in front of quotation marks make no difference. */
function comparable(text: string): string {
  return text.toLowerCase().replace(/[\s\\]+/g, " ");
}

/** An answer larger than any post could be. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
}

/** What the log has of a failure: status and codes, never the provider's message. */
class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";

  constructor(error: unknown, secret: string) {
    const facts =
      error instanceof APIError && error.status !== undefined
        ? { status: error.status, code: error.code, type: error.type, param: error.param, request: error.requestID }
        : { kind: error instanceof Error ? error.name : typeof error, code: systemCode(error) };
    const said = Object.entries(facts)
      .map(([name, value]) => [name, String(value ?? "")] as const)
      .filter(([, value]) => /^[\w.-]{1,64}$/.test(value) && (secret === "" || !value.includes(secret)))
      .map(([name, value]) => `${name} ${value}`);
    super(`The AI provider failed: ${said.join(", ") || "no connection"}`);
  }
}

/** ECONNREFUSED and the like lie one or two causes deep. */
function systemCode(error: unknown): unknown {
  return causes(error).find((cause) => cause.code !== undefined)?.code;
}

/** The error and its causes, by shape: errors of the platform's fetch may come from another realm. */
function causes(error: unknown): { code?: unknown; cause?: unknown }[] {
  const chain: { code?: unknown; cause?: unknown }[] = [];
  let current = error;
  while (typeof current === "object" && current !== null && chain.length < MAX_DEPTH) {
    const link: { code?: unknown; cause?: unknown } = current;
    chain.push(link);
    current = link.cause;
  }
  return chain;
}

const MAX_DEPTH = 5;

/** A year; a longer wait is a mistake. */
const MAX_WAIT_SECONDS = 366 * 24 * 3600;

/** The wait that the provider asks for, in its headers or in the body; undefined when it does not say. */
function waitOf(headers: Headers | undefined, { retrySeconds }: Refusal): number | undefined {
  const milliseconds = headers?.get("retry-after-ms");
  const value = headers?.get("retry-after");
  if (milliseconds && Number.isFinite(Number(milliseconds))) return bounded(Number(milliseconds) / 1000);
  if (!value) return retrySeconds === undefined ? undefined : bounded(retrySeconds);
  if (Number.isFinite(Number(value))) return bounded(Number(value));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : bounded((date - Date.now()) / 1000);
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS);
}
