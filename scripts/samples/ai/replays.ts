/**
 * How providers put an answer on the wire: the bytes of each one's documentation around a text of ours. Read on 2026-11-27 and
 * 28; the source stands with each.
 */
export type Replay = {
  type: "text/event-stream" | "application/json";
  body: (answer: string) => string;
  /** It asks for the tool create_topic instead of answering; the answer is the tool's input. */
  asks?: true;
};

export type ReplayName = keyof typeof REPLAYS;

/** What models think; none of it may appear in a text. */
export const THOUGHTS = "Gärtner’s rule 🌱: mornings.";

export const REPLAYS = {
  /** platform.openai.com/docs/api-reference/chat-streaming */
  openai: stream((answer) => [
    delta({ role: "assistant", content: "", refusal: null }),
    ...words(answer).map((content) => delta({ content })),
    delta({}, "stop"),
    {
      ...HEAD,
      choices: [],
      usage: {
        prompt_tokens: 19,
        completion_tokens: 30,
        total_tokens: 49,
        prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0 },
      },
    },
  ]),
  /** platform.openai.com/docs/guides/structured-outputs#refusals */
  "openai-refusal": stream(() => [
    delta({ role: "assistant", content: null, refusal: "" }),
    delta({ refusal: "I'm sorry, " }),
    delta({ refusal: "I cannot help with that." }),
    delta({}, "stop"),
    usage({ prompt_tokens: 12, completion_tokens: 9 }),
  ]),
  /** platform.openai.com/docs/guides/function-calling#streaming */
  "openai-tool": stream(
    (input) => [
      delta({ role: "assistant", content: null }),
      delta({
        tool_calls: [
          { index: 0, id: "call_DdmO9pD3", type: "function", function: { name: "create_topic", arguments: "" } },
        ],
      }),
      ...parts(input, 5).map((part) => delta({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
      delta({}, "tool_calls"),
    ],
    { asks: true },
  ),
  /** learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming */
  azure: stream((answer) => [
    {
      id: "",
      object: "",
      created: 0,
      model: "",
      choices: [],
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: SAFE }],
    },
    delta({ role: "assistant", content: "" }),
    ...words(answer).map((content) => ({
      ...HEAD,
      choices: [{ index: 0, delta: { content }, finish_reason: null, content_filter_results: SAFE }],
    })),
    delta({}, "stop"),
  ]),
  /** learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter */
  "azure-filtered": stream((answer) => [
    delta({ role: "assistant", content: "" }),
    delta({ content: words(answer)[0] }),
    delta({}, "content_filter"),
    usage({ prompt_tokens: 40, completion_tokens: 3 }),
  ]),
  /** openrouter.ai/docs/api/reference/streaming and /docs/use-cases/reasoning-tokens */
  openrouter: stream(
    (answer) => [
      ...words(THOUGHTS).map((text) =>
        delta({
          role: "assistant",
          content: "",
          reasoning: text,
          reasoning_details: [{ type: "reasoning.text", text, format: "unknown", index: 0 }],
        }),
      ),
      ...words(answer).map((content) => delta({ role: "assistant", content })),
      {
        ...HEAD,
        choices: [
          {
            index: 0,
            delta: { role: "assistant", content: "" },
            finish_reason: "stop",
            native_finish_reason: "completed",
          },
        ],
      },
      usage({
        prompt_tokens: 15,
        completion_tokens: 31,
        prompt_tokens_details: { cached_tokens: 14 },
        completion_tokens_details: { reasoning_tokens: 11 },
      }),
    ],
    { before: ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n" },
  ),
  /** openrouter.ai/docs/api/reference/errors-and-debugging: the status is 200, the failure comes in the stream */
  "openrouter-error": stream(
    (answer) => [
      delta({ role: "assistant", content: words(answer)[0] }),
      {
        ...HEAD,
        provider: "openai",
        error: { code: 429, message: "Rate limit exceeded" },
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
      },
    ],
    { before: ": OPENROUTER PROCESSING\n\n", end: "" },
  ),
  /** openrouter.ai/docs/api/reference/errors-and-debugging */
  "openrouter-error-whole": whole(() => ({ error: { code: 429, message: "Rate limit exceeded" }, user_id: "user_1" })),
  /** ai.google.dev/gemini-api/docs/openai: thoughts that were asked for stand in the content */
  gemini: stream((answer) => [
    delta({ role: "assistant", content: `<thought>${THOUGHTS}`, extra_content: { google: { thought: true } } }),
    ...words(`</thought>${answer}`).map((content) => delta({ role: "assistant", content })),
    delta({ role: "assistant" }, "stop"),
  ]),
  /** ai.google.dev/gemini-api/docs/thought-signatures: calls come whole, all with index 0 */
  "gemini-tool": stream(
    (input) => [
      delta({
        role: "assistant",
        tool_calls: [
          {
            index: 0,
            id: "function-call-1",
            type: "function",
            function: { name: "create_topic", arguments: input },
            extra_content: { google: { thought_signature: "Q2hlY2sgdGhpcw==" } },
          },
        ],
      }),
      delta({ role: "assistant" }, "tool_calls"),
    ],
    { asks: true },
  ),
  /** docs.mistral.ai/capabilities/reasoning: the content is a list while it thinks */
  mistral: stream((answer) => [
    delta({ role: "assistant", content: "" }),
    ...words(THOUGHTS).map((text) => delta({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] })),
    delta({ content: [{ type: "text", text: words(answer)[0] }] }),
    ...words(answer)
      .slice(1)
      .map((content) => delta({ content })),
    { ...delta({ content: "" }, "stop"), usage: { prompt_tokens: 10, completion_tokens: 25, total_tokens: 35 } },
  ]),
  /** docs.mistral.ai/capabilities/reasoning */
  "mistral-whole": whole((answer) =>
    message({
      role: "assistant",
      content: [
        { type: "thinking", thinking: [{ type: "text", text: THOUGHTS }] },
        ...words(answer).map((text) => ({ type: "text", text })),
      ],
    }),
  ),
  /** api-docs.deepseek.com/guides/reasoning_model and /guides/kv_cache */
  deepseek: stream((answer) => [
    delta({ role: "assistant", content: null, reasoning_content: "" }),
    ...words(THOUGHTS).map((text) => delta({ content: null, reasoning_content: text })),
    ...words(answer).map((content) => delta({ content, reasoning_content: null })),
    {
      ...delta({ content: "", reasoning_content: null }, "stop"),
      usage: {
        prompt_tokens: 16,
        completion_tokens: 92,
        total_tokens: 108,
        completion_tokens_details: { reasoning_tokens: 81 },
        prompt_cache_hit_tokens: 6,
        prompt_cache_miss_tokens: 10,
      },
    },
  ]),
  /** api-docs.deepseek.com/guides/reasoning_model */
  "deepseek-whole": whole((answer) => message({ role: "assistant", content: answer, reasoning_content: THOUGHTS })),
  /** console.groq.com/docs/reasoning: reasoning_format raw; the usage is in x_groq */
  groq: stream((answer) => [
    { ...delta({ role: "assistant", content: "" }), x_groq: { id: "req_1" } },
    ...words(`<think>\n${THOUGHTS}\n</think>\n\n${answer}`).map((content) => delta({ content })),
    { ...delta({}, "stop"), x_groq: { id: "req_1", usage: { prompt_tokens: 22, completion_tokens: 44 } } },
  ]),
  /** console.groq.com/docs/reasoning: reasoning_format parsed, as of gpt-oss */
  "groq-parsed": stream((answer) => [
    delta({ role: "assistant", content: "" }),
    ...words(THOUGHTS).map((reasoning) => delta({ reasoning, channel: "analysis" })),
    ...words(answer).map((content) => delta({ content })),
    delta({}, "stop"),
  ]),
  /** api-docs.deepseek.com/guides/thinking_mode: it thinks before it asks */
  "deepseek-tool": stream(
    (input) => [
      delta({ role: "assistant", content: null, reasoning_content: "" }),
      ...words(THOUGHTS).map((text) => delta({ content: null, reasoning_content: text })),
      delta({
        tool_calls: [
          { index: 0, id: "call_00_Rq1T", type: "function", function: { name: "create_topic", arguments: "" } },
        ],
      }),
      ...parts(input, 4).map((part) => delta({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
      {
        ...delta({ content: "", reasoning_content: null }, "tool_calls"),
        usage: { prompt_tokens: 16, completion_tokens: 40, completion_tokens_details: { reasoning_tokens: 21 } },
      },
    ],
    { asks: true },
  ),
  /** api-docs.deepseek.com/api/create-chat-completion: the thoughts have used up max_tokens */
  "deepseek-no-room": stream(() => [
    delta({ role: "assistant", content: null, reasoning_content: "" }),
    ...words(THOUGHTS).map((text) => delta({ content: null, reasoning_content: text })),
    {
      ...delta({ content: "", reasoning_content: null }, "length"),
      usage: { prompt_tokens: 16, completion_tokens: 81, completion_tokens_details: { reasoning_tokens: 81 } },
    },
  ]),
  /** vercel/ai#1653: a whole call in one chunk */
  "groq-tool": stream(
    (input) => [
      delta({ role: "assistant", content: null }),
      delta({
        tool_calls: [
          { index: 0, id: "call_w3ae", type: "function", function: { name: "create_topic", arguments: input } },
        ],
      }),
      { ...delta({}, "tool_calls"), x_groq: { id: "req_1", usage: { prompt_tokens: 22, completion_tokens: 19 } } },
    ],
    { asks: true },
  ),
  /** docs.ollama.com/api/openai-compatibility */
  ollama: stream((answer) => [
    ...words(THOUGHTS).map((reasoning) => delta({ role: "assistant", content: "", reasoning })),
    ...words(answer).map((content) => delta({ role: "assistant", content })),
    delta({ role: "assistant", content: "" }, "stop"),
  ]),
  /** docs.ollama.com/capabilities/tool-calling: a whole call in one chunk */
  "ollama-tool": stream(
    (input) => [
      delta({
        role: "assistant",
        content: "",
        tool_calls: [
          {
            id: "call_mmmf8pcj",
            index: 0,
            type: "function",
            function: { name: "create_topic", arguments: input },
          },
        ],
      }),
      delta({ role: "assistant", content: "" }, "tool_calls"),
    ],
    { asks: true },
  ),
  /** docs.vllm.ai/en/latest/features/reasoning_outputs */
  vllm: stream((answer) => [
    delta({ role: "assistant", content: "" }),
    ...words(THOUGHTS).map((text) => delta({ reasoning_content: text })),
    ...words(answer).map((content) => delta({ content })),
    { ...delta({ content: "" }, "stop"), stop_reason: null },
  ]),
  /** InternLM/lmdeploy#3412 has the parts of vLLM's: an empty id and no name after the first */
  "vllm-tool": stream(
    (input) => [
      delta({ role: "assistant", content: "" }),
      delta({
        tool_calls: [
          { index: 0, id: "chatcmpl-tool-c9ZC", type: "function", function: { name: "create_topic", arguments: "" } },
        ],
      }),
      ...parts(input, 6).map((part) =>
        delta({ tool_calls: [{ index: 0, id: "", type: "function", function: { name: null, arguments: part } }] }),
      ),
      delta({ content: "" }, "tool_calls"),
    ],
    { asks: true },
  ),
  /** vLLM without --reasoning-parser: the chat template has opened the thoughts, the model closes them. */
  "vllm-unopened": stream((answer) => [
    delta({ role: "assistant", content: "" }),
    ...words(`${THOUGHTS}\n</think>\n\n${answer}`).map((content) => delta({ content })),
    delta({ content: "" }, "stop"),
  ]),
  /** github.com/vllm-project/vllm, ErrorResponse: an object of its own kind */
  "vllm-error": stream(() => [
    { object: "error", message: "Internal server error", type: "InternalServerError", param: null, code: 500 },
  ]),
  /** lmstudio.ai/docs/developer/openai-compat: gpt-oss where its marks are not parsed; github.com/openai/harmony has the marks */
  lmstudio: stream((answer) =>
    words(
      `<|channel|>analysis<|message|>${THOUGHTS}<|end|><|start|>assistant<|channel|>final<|message|>${answer}<|return|>`,
    )
      .map((content) => delta({ role: "assistant", content }))
      .concat(delta({}, "stop")),
  ),
  /** lmstudio.ai/docs/developer/openai-compat/tools: the name again with each part */
  "lmstudio-tool": stream(
    (input) => [
      delta({
        role: "assistant",
        tool_calls: [
          { index: 0, id: "365174485", type: "function", function: { name: "create_topic", arguments: "" } },
        ],
      }),
      ...parts(input, 9).map((part) =>
        delta({ tool_calls: [{ index: 0, function: { name: "create_topic", arguments: part } }] }),
      ),
      delta({}, "tool_calls"),
    ],
    { asks: true },
  ),
  /** A gateway of the operator's: lines end in CRLF, no space after `data:`, pings between, and no finish_reason at all. */
  gateway: stream(
    (answer) => words(answer).map((content) => ({ ...HEAD, choices: [{ index: 0, delta: { content } }] })),
    {
      before: ": ping\r\n\r\nretry: 3000\r\n\r\n",
      line: (json) => `event: message\r\ndata:${json}\r\n\r\n: ping\r\n\r\n`,
      end: "data:[DONE]\r\n\r\n",
    },
  ),
  /** A stream that breaks off between two chunks, in the middle of the answer. */
  "broken-off": stream((answer) => words(answer.slice(0, answer.length / 2)).map((content) => delta({ content })), {
    end: "",
  }),
} satisfies Record<string, Replay>;

function stream(
  chunks: (answer: string) => object[],
  options: { asks?: true; before?: string; line?: (json: string) => string; end?: string } = {},
): Replay {
  const { asks, before = "", line = (json) => `data: ${json}\n\n`, end = "data: [DONE]\n\n" } = options;
  const body = (answer: string) =>
    before +
    chunks(answer)
      .map((chunk) => line(JSON.stringify(chunk)))
      .join("") +
    end;
  return { type: "text/event-stream", body, ...(asks && { asks }) };
}

function whole(of: (answer: string) => object): Replay {
  return { type: "application/json", body: (answer) => JSON.stringify(of(answer)) };
}

const HEAD = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_764_200_000, model: "replayed" };
const SAFE = { hate: { filtered: false, severity: "safe" }, violence: { filtered: false, severity: "safe" } };

function delta(content: object, finish: string | null = null) {
  return { ...HEAD, choices: [{ index: 0, delta: content, finish_reason: finish }] };
}

function usage(counts: object) {
  return { ...HEAD, choices: [], usage: counts };
}

function message(content: object) {
  return {
    ...HEAD,
    object: "chat.completion",
    choices: [{ index: 0, message: content, finish_reason: "stop" }],
    usage: { prompt_tokens: 6, completion_tokens: 9 },
  };
}

function parts(text: string, length: number): string[] {
  return text.match(new RegExp(`.{1,${length}}`, "gs")) ?? [];
}

/** Cut before each space, as tokens are. */
function words(text: string): string[] {
  return text.match(/\s*\S+/g) ?? [];
}
