import type { ServerResponse } from "node:http";
import type { Fault, Faults, Refusable } from "@/scripts/samples/ai/faults";
import { type ChatRequest, sendJson } from "@/scripts/samples/ai/wire";

/** Fails instead of answering; true if it did. */
export function failInstead(fault: Fault, response: ServerResponse, raw: string, authorization = ""): boolean {
  if (fault.kind === "rate-limit") {
    const headers = {
      ...(fault.retryAfter !== undefined && { "retry-after": fault.retryAfter }),
      ...(fault.retryAfterMs !== undefined && { "retry-after-ms": fault.retryAfterMs }),
    };
    sendJson(response, 429, problem("Rate limit reached", "requests", "rate_limit_exceeded"), headers);
    return true;
  }
  if (fault.kind === "refusal") {
    sendJson(response, fault.status, fault.body, fault.headers);
    return true;
  }
  if (fault.kind === "token-limit") return refuseBeyond(fault.tokens, response, raw);
  switch (fault.kind) {
    case "denied":
      sendJson(response, 403, problem("Your plan does not include this.", "permission_error", null));
      return true;
    case "moderated":
      sendJson(response, 403, {
        error: {
          code: 403,
          message: "Your input was flagged",
          metadata: { reasons: ["violence"], flagged_input: "…" },
        },
      });
      return true;
    case "no-quota":
      sendJson(response, 429, problem("You exceeded your current quota", "insufficient_quota", "insufficient_quota"));
      return true;
    case "server-error":
      sendJson(response, 500, problem("The server had an error", "server_error", null));
      return true;
    case "unauthorized":
      sendJson(response, 401, problem("Incorrect API key provided", "invalid_request_error", "invalid_api_key"));
      return true;
    case "telltale":
      sendJson(response, 500, problem(`${authorization} sent ${raw}`, raw, authorization.replace("Bearer ", "")));
      return true;
    case "hang":
      return true;
    case "drip":
      drip(response);
      return true;
    case "garbage":
      response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [{"mess');
      return true;
    case "html":
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Proxy</title><p>Please sign in.");
      return true;
    case "error-inside":
      sendJson(response, 200, problem("Upstream failed", "server_error", null));
      return true;
    default:
      return false;
  }
}

function refuseBeyond(limit: number, response: ServerResponse, raw: string): boolean {
  const { messages, max_tokens = 0 }: ChatRequest = JSON.parse(raw);
  const requested = Math.ceil(JSON.stringify(messages).length / 4) + max_tokens;
  if (requested <= limit) return false;
  const message = `Request too large on tokens per minute (TPM): Limit ${limit}, Requested ${requested}, please reduce your message size and try again.`;
  sendJson(response, 413, problem(message, "tokens", "rate_limit_exceeded"));
  return true;
}

/** Corrupts the text of an otherwise normal response. */
export function failAfter(fault: Fault | null, text: string): string {
  switch (fault?.kind) {
    case "empty":
      return "";
    case "wrong-json":
      return JSON.stringify({ unexpected: true });
    case "cut-short":
      return text.slice(0, text.length / 2);
    case "chatty":
      return `Sure [as asked], here it is:\n\n\`\`\`json\n${text}\n\`\`\`\n\nTell me if {anything} is missing.`;
    default:
      return text;
  }
}

/** The 400 of a model that does not support a parameter, or null. */
export function refusal(request: ChatRequest, faults: Faults): unknown {
  const refused = [...faults.refuses].find((name) => request[name] !== undefined && request[name] !== false);
  const isUnlimited = request.max_tokens === undefined && request.max_completion_tokens === undefined;
  if (faults.needsTokenLimit && isUnlimited)
    return problem("max_tokens: Field required", "invalid_request_error", null);
  if (!refused) return null;
  if (refused === "tools") return problem(`${request.model} does not support tools`, "api_error", null);
  if (faults.wordyRefusals) return { error: { message: WORDY[refused], type: "invalid_request_error" } };
  const code = refused === "temperature" ? "unsupported_value" : "unsupported_parameter";
  return {
    error: { message: `Unsupported parameter: '${refused}'`, type: "invalid_request_error", param: refused, code },
  };
}

const WORDY: Record<Exclude<Refusable, "tools">, string> = {
  response_format: "This response_format type is unavailable now",
  temperature: "temperature: extra fields not permitted",
  max_tokens: "max_tokens is not supported with this model, use max_completion_tokens",
  max_completion_tokens: "Unrecognized request argument supplied: max_completion_tokens",
  stream_options: "Extra inputs are not permitted: stream_options",
  stream: "Streaming is not supported by this model",
  reasoning_effort: "Unrecognized request argument supplied: reasoning_effort",
};

function problem(message: string, type: string, code: string | null) {
  return { error: { message, type, param: null, code } };
}

/** Sends a space at a time: valid so far, and never finished. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}
