import type { ErrorType } from "@/lib/errors";

/** A refusal as a provider sends it, and what it means to the user. A string is sent as it is. */
export type RefusalCase = {
  provider: string;
  status: number;
  body: unknown;
  type: ErrorType;
  /** Words of the message. */
  says?: string;
};

const openai = (message: string, type: string, code: string | number | null = null, param: string | null = null) => ({
  error: { message, type, param, code },
});
const google = (code: number, status: string, message: string, details?: object[]) => [
  { error: { code, message, status, ...(details && { details }) } },
];
const router = (code: number, message: string, metadata?: object) => ({
  error: { code, message, ...(metadata && { metadata }) },
});
const PAGE = "<!DOCTYPE html><html><head><title>Attention Required!</title></head><body>Blocked</body></html>";

/** Bodies as the sources in lib/ai/refusals.ts have them. */
export const REFUSAL_CASES: RefusalCase[] = [
  // A wrong key.
  {
    provider: "OpenAI",
    status: 401,
    body: openai("Incorrect API key provided: sk-x", "invalid_request_error", "invalid_api_key"),
    type: "INVALID_API_KEY",
  },
  {
    provider: "Gemini",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID", domain: "googleapis.com" },
    ]),
    type: "INVALID_API_KEY",
  },
  {
    provider: "Gemini",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key."),
    type: "INVALID_API_KEY",
  },
  { provider: "Mistral", status: 401, body: { detail: "Unauthorized" }, type: "INVALID_API_KEY" },
  { provider: "Mistral", status: 400, body: { detail: "Unauthorized" }, type: "INVALID_API_KEY" },
  { provider: "Mistral", status: 401, body: { message: "Unauthorized", request_id: "93" }, type: "INVALID_API_KEY" },
  {
    provider: "xAI",
    status: 400,
    body: { code: "Client specified an invalid argument", error: "Incorrect API key provided: na***ys." },
    type: "INVALID_API_KEY",
  },
  { provider: "xAI", status: 400, body: '"Incorrect API key provided: na***ys."', type: "INVALID_API_KEY" },
  {
    provider: "DeepSeek",
    status: 401,
    body: openai("Authentication Fails (no such user)", "authentication_error", "invalid_request_error"),
    type: "INVALID_API_KEY",
  },
  { provider: "OpenRouter", status: 401, body: router(401, "No auth credentials found"), type: "INVALID_API_KEY" },
  { provider: "vLLM", status: 401, body: { error: "Unauthorized" }, type: "INVALID_API_KEY" },

  // Moderation.
  {
    provider: "OpenRouter",
    status: 403,
    body: router(403, "anthropic/claude-2 requires moderation.", { reasons: ["violence"], flagged_input: "How to" }),
    type: "AI_DECLINED",
  },
  {
    provider: "OpenRouter",
    status: 403,
    body: router(403, 'openai/o1 requires moderation. Your input was flagged for "violence".'),
    type: "AI_DECLINED",
  },
  {
    provider: "Azure",
    status: 400,
    body: {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: {
          code: "ResponsibleAIPolicyViolation",
          content_filter_result: { violence: { filtered: true, severity: "medium" } },
        },
      },
    },
    type: "AI_DECLINED",
  },
  {
    provider: "OpenAI",
    status: 400,
    body: openai("Invalid prompt: your prompt was flagged.", "invalid_request_error", "invalid_prompt"),
    type: "AI_DECLINED",
  },
  {
    provider: "DeepSeek",
    status: 400,
    body: openai("Content Exists Risk", "invalid_request_error", "invalid_request_error"),
    type: "AI_DECLINED",
  },

  // No access.
  {
    provider: "OpenAI",
    status: 403,
    body: openai(
      "Country, region, or territory not supported",
      "request_forbidden",
      "unsupported_country_region_territory",
    ),
    type: "AI_ACCESS_DENIED",
    says: "country",
  },
  {
    provider: "Gemini",
    status: 400,
    body: google(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
    type: "AI_ACCESS_DENIED",
    says: "country",
  },
  {
    provider: "OpenAI",
    status: 403,
    body: openai("Project `proj_x` does not have access to model `gpt-4o`", "invalid_request_error", "model_not_found"),
    type: "AI_ACCESS_DENIED",
    says: "is not allowed to use this model",
  },
  {
    provider: "OpenAI through a proxy",
    status: 403,
    body: { error: "Project `proj_x` does not have access to model `gpt-4o`" },
    type: "AI_ACCESS_DENIED",
    says: "is not allowed to use this model",
  },
  {
    provider: "Groq",
    status: 403,
    body: openai("The model is blocked.", "permissions_error", "model_permission_blocked_project"),
    type: "AI_ACCESS_DENIED",
    says: "is not allowed to use this model",
  },
  {
    provider: "OpenRouter",
    status: 404,
    body: router(404, "No endpoints found matching your data policy (Free model publication)."),
    type: "AI_ACCESS_DENIED",
    says: "is not allowed to use this model",
  },
  {
    provider: "OpenAI",
    status: 401,
    body: openai("Your IP is not authorized.", "invalid_request_error", "ip_not_authorized"),
    type: "AI_ACCESS_DENIED",
    says: "firewall",
  },
  {
    provider: "Azure",
    status: 403,
    body: { error: { code: "403", message: "Access denied due to Virtual Network/Firewall rules." } },
    type: "AI_ACCESS_DENIED",
    says: "firewall",
  },
  {
    provider: "Groq",
    status: 403,
    body: { error: { message: "Access denied. Please check your network settings." } },
    type: "AI_ACCESS_DENIED",
    says: "firewall",
  },
  { provider: "a firewall", status: 403, body: PAGE, type: "AI_ACCESS_DENIED", says: "firewall" },
  {
    provider: "Gemini",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "Requests to this API are blocked.", [
      { reason: "API_KEY_SERVICE_BLOCKED" },
    ]),
    type: "AI_ACCESS_DENIED",
    says: "denied access",
  },

  // Too large.
  {
    provider: "Groq",
    status: 413,
    body: openai(
      "Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 7300, please reduce your message size",
      "tokens",
      "rate_limit_exceeded",
    ),
    type: "AI_TOO_LARGE",
  },
  {
    provider: "Groq",
    status: 429,
    body: openai("Tokens per minute (TPM): Limit 6000, Requested 7300", "tokens", "rate_limit_exceeded"),
    type: "AI_TOO_LARGE",
  },
  {
    provider: "OpenAI",
    status: 429,
    body: openai("Request too large for gpt-4o.", "tokens", "rate_limit_exceeded"),
    type: "AI_TOO_LARGE",
  },
  {
    provider: "OpenAI",
    status: 400,
    body: openai("Too long.", "invalid_request_error", "context_length_exceeded"),
    type: "AI_TOO_LARGE",
  },
  {
    provider: "vLLM",
    status: 400,
    body: {
      object: "error",
      message: "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    type: "AI_TOO_LARGE",
  },
  { provider: "a proxy", status: 413, body: "<html>413 Request Entity Too Large</html>", type: "AI_TOO_LARGE" },

  // Credit.
  {
    provider: "OpenAI",
    status: 429,
    body: openai("You exceeded your current quota.", "insufficient_quota", "insufficient_quota"),
    type: "AI_PROVIDER_ERROR",
    says: "credit",
  },
  {
    provider: "DeepSeek",
    status: 402,
    body: openai("Payment required", "unknown_error", "invalid_request_error"),
    type: "AI_PROVIDER_ERROR",
    says: "credit",
  },
  {
    provider: "DeepSeek through a proxy",
    status: 400,
    body: openai("Insufficient Balance", "unknown_error", "invalid_request_error"),
    type: "AI_PROVIDER_ERROR",
    says: "credit",
  },
  {
    provider: "OpenRouter",
    status: 403,
    body: router(403, "Key limit exceeded (total limit)."),
    type: "AI_PROVIDER_ERROR",
    says: "credit",
  },

  // No such model.
  {
    provider: "OpenAI",
    status: 404,
    body: openai("The model `x` does not exist.", "invalid_request_error", "model_not_found"),
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },
  {
    provider: "Azure",
    status: 404,
    body: { error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." } },
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },
  {
    provider: "Mistral",
    status: 400,
    body: { object: "error", message: "Invalid model: x", type: "invalid_model", param: null, code: "1500" },
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },
  {
    provider: "OpenRouter",
    status: 400,
    body: router(400, "x is not a valid model ID"),
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },
  {
    provider: "Ollama",
    status: 404,
    body: { error: "model 'x' not found, try pulling it first" },
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },
  {
    provider: "vLLM",
    status: 404,
    body: { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", param: null, code: 404 },
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },
  {
    provider: "LM Studio",
    status: 404,
    body: openai('Model "x" not found. Please specify a valid model.', "invalid_request_error", "model_not_found"),
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },
  {
    provider: "Gemini",
    status: 404,
    body: google(404, "NOT_FOUND", "models/x is not found for API version v1main."),
    type: "AI_ACCESS_DENIED",
    says: "does not have the model",
  },

  // No tools.
  {
    provider: "Ollama",
    status: 400,
    body: openai("registry.ollama.ai/library/gemma3:4b does not support tools", "api_error"),
    type: "AI_PROVIDER_ERROR",
    says: "does not support tools",
  },
  {
    provider: "OpenRouter",
    status: 404,
    body: router(404, "No endpoints found that support tool use. To learn more, visit the documentation."),
    type: "AI_PROVIDER_ERROR",
    says: "does not support tools",
  },
  {
    provider: "vLLM",
    status: 400,
    body: openai(
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      "BadRequestError",
      400,
    ),
    type: "AI_PROVIDER_ERROR",
    says: "does not support tools",
  },
  {
    provider: "Gemini",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "Function calling is not enabled for models/gemma-3-12b-it"),
    type: "AI_PROVIDER_ERROR",
    says: "does not support tools",
  },
  {
    provider: "llama.cpp",
    status: 500,
    body: openai("tools param requires --jinja flag", "server_error", 500),
    type: "AI_PROVIDER_ERROR",
    says: "does not support tools",
  },

  // Waits.
  {
    provider: "Groq",
    status: 429,
    body: openai(
      "Rate limit reached on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s.",
      "tokens",
      "rate_limit_exceeded",
    ),
    type: "AI_RATE_LIMITED",
  },
  {
    provider: "Gemini",
    status: 429,
    body: google(
      429,
      "RESOURCE_EXHAUSTED",
      "You exceeded your current quota, please check your plan and billing details.",
      [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }],
    ),
    type: "AI_RATE_LIMITED",
    says: "35 seconds",
  },
  { provider: "Mistral", status: 429, body: { message: "Requests rate limit exceeded" }, type: "AI_RATE_LIMITED" },
  { provider: "OpenRouter", status: 408, body: router(408, "Timed out"), type: "AI_TIMEOUT" },

  // Neither key nor model.
  {
    provider: "a wrong address",
    status: 404,
    body: { detail: "Not Found" },
    type: "AI_PROVIDER_ERROR",
    says: "address",
  },
  { provider: "OpenRouter", status: 502, body: router(502, "Provider returned error"), type: "AI_PROVIDER_ERROR" },
];
