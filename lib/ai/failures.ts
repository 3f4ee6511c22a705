import { APIConnectionTimeoutError, APIError } from "openai";
import { AppError, CALL_MESSAGES, tryAgainIn } from "@/lib/errors";

/**
 * Maps an error of the provider to the catalogue:
 * - 401, 403 → INVALID_API_KEY
 * - 429 → AI_RATE_LIMITED with the provider's wait (24 hours at most)
 * - 402, or `insufficient_quota` under any status → AI_PROVIDER_ERROR about billing: unlike a rate limit, waiting does
 * not restore a quota
 * - 404 → AI_PROVIDER_ERROR about the configured model; 408 and time-outs → AI_TIMEOUT
 * - anything unreadable → AI_BAD_ANSWER; the rest, broken connections included → AI_PROVIDER_ERROR
 *
 * The provider's own message is dropped, since it may quote the key or the prompt.
 */
export function classifyFailure(error: unknown, secret: string): AppError {
  if (error instanceof AppError) return error;
  const cause = new ProviderFailure(error, secret);
  if (error instanceof APIConnectionTimeoutError) return new AppError("AI_TIMEOUT", { cause });
  if (causes(error).some((cause) => cause instanceof AnswerTooLarge) || error instanceof SyntaxError)
    return new AppError("AI_BAD_ANSWER", { cause });
  if (!(error instanceof APIError)) return new AppError("AI_PROVIDER_ERROR", { cause });

  if (error.status === 402 || error.code === "insufficient_quota" || error.type === "insufficient_quota")
    return new AppError("AI_PROVIDER_ERROR", { message: NO_QUOTA, cause });
  if (error.status === 401 || error.status === 403) return new AppError("INVALID_API_KEY", { cause });
  if (error.status === 429 || error.code === "rate_limit_exceeded") return rateLimited(error.headers, cause);
  if (error.status === 408) return new AppError("AI_TIMEOUT", { cause });
  if (error.status === 404) return new AppError("AI_PROVIDER_ERROR", { message: NO_MODEL, cause });
  return new AppError("AI_PROVIDER_ERROR", { cause });
}

function rateLimited(headers: Headers | undefined, cause: ProviderFailure): AppError {
  const seconds = retryAfterSeconds(headers);
  if (seconds === undefined) return new AppError("AI_RATE_LIMITED", { cause });
  const message = `${CALL_MESSAGES.aiLimits} ${tryAgainIn(seconds)}`;
  return new AppError("AI_RATE_LIMITED", { message, retryAfter: seconds, cause });
}

const NO_QUOTA =
  "Your AI provider account has no credit left. Check its plan and billing with the provider, then try again.";
const NO_MODEL =
  "The AI provider does not offer the model this site is set up with. Ask the site's operator to check it.";

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

const MAX_WAIT_SECONDS = 24 * 3600;

/** The wait that the provider asks for; undefined when it does not say. */
function retryAfterSeconds(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get("retry-after-ms");
  const value = headers?.get("retry-after");
  if (milliseconds && Number.isFinite(Number(milliseconds))) return bounded(Number(milliseconds) / 1000);
  if (!value) return undefined;
  if (Number.isFinite(Number(value))) return bounded(Number(value));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : bounded((date - Date.now()) / 1000);
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS);
}
