/** What a provider's refusal means for the user. */
export type Outcome =
  | "key"
  | "declined"
  | "too-large"
  | "credit"
  | "no-model"
  | "no-tools"
  | "country"
  | "project"
  | "firewall"
  | "denied"
  | "limit"
  | "timeout"
  | "address";

/**
 * A row matches if the status is one of `statuses` (if given) and the provider names one of `names`, or says one of `words`.
 * Rows with neither match by status alone.
 */
export type Row = {
  statuses?: number[];
  /** Codes, types, statuses and reasons, in lower case. */
  names?: string[];
  /** Phrases, in lower case; an ellipsis stands for any words between. */
  words?: string[];
  outcome: Outcome;
  /** Who documents it, or a report that quotes the answer, with the day it was read or written. */
  source: string;
};

/** The page that answered instead of the API, as a name. */
export const WEB_PAGE = "a web page";
/** OpenRouter's list of reasons for which a prompt was flagged, as a name. */
export const MODERATION_REASONS = "metadata.reasons";

const OPENAI = "platform.openai.com/docs/guides/error-codes, 2026-11-27";
const AZURE = "learn.microsoft.com/azure/ai-services/openai/concepts/content-filter, 2026-11-27";
const OPENROUTER = "openrouter.ai/docs/api/reference/errors-and-debugging, 2026-11-27";
const GEMINI = "ai.google.dev/gemini-api/docs/troubleshooting, 2026-11-27";
const DEEPSEEK = "api-docs.deepseek.com/quick_start/error_codes, 2026-11-27";
const GROQ = "console.groq.com/docs/errors, 2026-11-27";

/**
 * The first row that matches counts: names, then words, then the status alone. Only the names of a limit come after the words,
 * since some providers give them to a request that is too large as well.
 */
export const REFUSALS: Row[] = [
  { names: ["invalid_api_key"], outcome: "key", source: OPENAI },
  { names: ["api_key_invalid"], outcome: "key", source: GEMINI },
  { names: ["authentication_error"], outcome: "key", source: DEEPSEEK },
  { statuses: [403], names: [MODERATION_REASONS], outcome: "declined", source: OPENROUTER },
  { names: ["content_filter", "responsibleaipolicyviolation"], outcome: "declined", source: AZURE },
  { names: ["content_policy_violation", "invalid_prompt"], outcome: "declined", source: OPENAI },
  { names: ["unsupported_country_region_territory"], outcome: "country", source: OPENAI },
  { statuses: [403], names: ["model_not_found"], outcome: "project", source: "Aider-AI/aider#604, 2024-05-16" },
  {
    names: ["model_permission_blocked_project", "model_permission_blocked_org", "service_disabled"],
    outcome: "project",
    source: GROQ,
  },
  { names: ["context_length_exceeded", "string_above_max_length"], outcome: "too-large", source: OPENAI },
  {
    names: ["insufficient_quota", "billing_not_active", "billing_hard_limit_reached"],
    outcome: "credit",
    source: OPENAI,
  },
  { names: ["ip_not_authorized"], outcome: "firewall", source: OPENAI },
  { names: ["model_not_found"], outcome: "no-model", source: OPENAI },
  { names: ["deploymentnotfound"], outcome: "no-model", source: AZURE },
  { names: ["invalid_model"], outcome: "no-model", source: "tmc/langchaingo#1233 (Mistral), 2025-04-23" },

  {
    statuses: [400, 401, 403],
    words: ["incorrect api key", "invalid api key", "api key not valid", "api key not found", "api key expired"],
    outcome: "key",
    source: "continuedev/continue#10778 (xAI: a bare string), 2026-02-24; google-gemini/gemini-cli#25198",
  },
  {
    statuses: [400, 403],
    words: ["api key was reported as leaked"],
    outcome: "key",
    source: "googleapis/python-genai#1764, 2025-11-24",
  },
  {
    statuses: [400],
    words: ["unauthorized", "invalid authorization header", "invalid authentication"],
    outcome: "key",
    source: "agent0ai/agent-zero#539 (Mistral: detail), 2025-06-27",
  },
  {
    words: ["does not support tools", "does not support tool use", "does not support function calling"],
    outcome: "no-tools",
    source: "ollama/ollama#6027, 2024-07-28; google/adk-python#952 (xAI), 2025-05-27",
  },
  {
    words: ["no endpoints found that support tool use", "no endpoints found that support the provided 'tool_choice'"],
    outcome: "no-tools",
    source: "evalstate/fast-agent#122 (OpenRouter), 2025-04-27",
  },
  { words: ["--enable-auto-tool-choice"], outcome: "no-tools", source: "vllm-project/vllm#9986, 2024-11-04" },
  {
    words: ["function calling is not enabled", "tool calling` is not supported", "tool calling is not supported"],
    outcome: "no-tools",
    source: "agno-agi/agno#3505 (Gemini), 2025-06-08; console.groq.com/docs/tool-use, 2026-11-27",
  },
  {
    words: ["tools param requires --jinja"],
    outcome: "no-tools",
    source: "ggml-org/llama.cpp, tools/server, 2026-11-27",
  },
  {
    statuses: [400, 403],
    words: ["your input was flagged", "prompt was flagged", "content management policy"],
    outcome: "declined",
    source: `${OPENROUTER}; openai/codex#7250; stanford-crfm/helm#3327 (Azure), 2025-02-07`,
  },
  { statuses: [400], words: ["content exists risk"], outcome: "declined", source: DEEPSEEK },
  {
    words: ["request too large", "please reduce your message size"],
    outcome: "too-large",
    source: "HunorLaczko/ha-groq-cloud-api#27 (Groq), 2026-05-16; vanna-ai/vanna-flask#11 (OpenAI), 2024-06-13",
  },
  {
    statuses: [400, 422],
    words: [
      "maximum context length",
      "supports at most…completion tokens",
      "context size has been exceeded",
      "greater than the context length",
    ],
    outcome: "too-large",
    source: "vllm-project/vllm#20409, 2025-07-03; lmstudio.ai/docs, 2026-11-27",
  },
  {
    statuses: [400, 403],
    words: ["location is not supported", "country, region, or territory", "not available in your region"],
    outcome: "country",
    source: "google-gemini/gemini-cli#24641, 2026-04-03; home-assistant/core#120072 (OpenAI), 2024-06-21",
  },
  {
    statuses: [403],
    words: ["does not have access to model", "requires a subscription", "has not been used in project"],
    outcome: "project",
    source: "Aider-AI/aider#1903 (OpenAI), 2024-10-03; docs.ollama.com/cloud, 2026-11-27",
  },
  {
    statuses: [404],
    words: ["matching your data policy", "guardrail restrictions and data policy"],
    outcome: "project",
    source: OPENROUTER,
  },
  {
    statuses: [403],
    words: ["firewall", "virtual network", "public access is disabled", "check your network settings", "cloudflare"],
    outcome: "firewall",
    source: "Azure-Samples/azure-sql-db-chatbot#3, 2025-04-23; console.groq.com/docs/errors, 2026-11-27",
  },
  {
    statuses: [400, 402, 403, 429],
    words: ["insufficient balance", "insufficient credits", "key limit exceeded", "check your billing details"],
    outcome: "credit",
    source: `${DEEPSEEK}; ${OPENROUTER}`,
  },
  {
    statuses: [400, 404],
    words: ["is not a valid model id", "no endpoints found for", "invalid model", "no models loaded"],
    outcome: "no-model",
    source: `${OPENROUTER}; lmstudio-ai/lms#107, 2024-11-26`,
  },
  {
    statuses: [400, 404],
    words: ["model…does not exist", "model…not found", "models/…is not found", "model not exist"],
    outcome: "no-model",
    source: `docs.vllm.ai and docs.ollama.com/openai, 2026-11-27; ${GEMINI}; ${DEEPSEEK}`,
  },

  { statuses: [401], outcome: "key", source: OPENAI },
  { statuses: [402], outcome: "credit", source: `${DEEPSEEK}; ${OPENROUTER}` },
  {
    statuses: [403],
    names: [WEB_PAGE],
    outcome: "firewall",
    source: "run-llama/llama_index#16796 (Cloudflare), 2024-11-01",
  },
  { statuses: [403], outcome: "denied", source: OPENAI },
  { statuses: [408], outcome: "timeout", source: OPENROUTER },
  { statuses: [413], outcome: "too-large", source: GROQ },
  { names: ["rate_limit_exceeded", "resource_exhausted"], outcome: "limit", source: `${OPENAI}; ${GEMINI}` },
  { statuses: [429], outcome: "limit", source: OPENAI },
  { statuses: [404], outcome: "address", source: OPENAI },
];
