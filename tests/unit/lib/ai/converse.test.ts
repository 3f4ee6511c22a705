import type { ToolTurn } from "@/lib/ai/prompts/prompt";
import { createAiProvider } from "@/lib/ai/provider";
import type { CallTimes } from "@/lib/ai/times";
import { tokensOf } from "@/lib/ai/tokens";
import { AppError } from "@/lib/errors";
import type { FaultName, Script } from "@/scripts/samples/ai/faults";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { eventually } from "@/tests/support/backend";

let sample: SampleAiProvider;

beforeAll(async () => {
  sample = await startSampleAiProvider();
});
beforeEach(() => {
  sample.faults.clear();
  sample.requests.length = 0;
  sample.turns.length = 0;
});
afterAll(() => sample.close());

const provider = (options: { times?: CallTimes; fetch?: typeof fetch } = {}) =>
  createAiProvider({ apiKey: sample.apiKey, baseUrl: sample.url, model: "tiny", ...options });

const tools = [{ name: "create_topic", description: "Creates a topic.", parameters: { type: "object" } }];
const messages: ToolTurn[] = [{ role: "user", content: "Hello" }];

const converse = (prompt: string) => provider().converse({ messages: [{ role: "user", content: prompt }], tools });

function answeringWith(message: object): typeof fetch {
  return async () => Response.json({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
}

async function typeOf(run: Promise<unknown>): Promise<unknown> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? error.type : error;
}

describe("a conversation with tools", () => {
  it("offers the tools and returns the calls as written, with token counts", async () => {
    sample.turns.push({ text: "One moment.", calls: [{ name: "create_topic", input: '{"name": "Water' }] });
    const answer = await provider().converse({ messages, tools, limits: { maxTokens: 50 } });
    expect(answer).toMatchObject({
      text: "One moment.",
      toolCalls: [{ id: "call_0", name: "create_topic", input: '{"name": "Water' }],
      model: "tiny-sample",
    });
    expect(answer.tokensIn).toBeGreaterThan(0);
    expect(sample.requests[0]?.body).toMatchObject({
      max_tokens: 50,
      tools: [{ type: "function", function: tools[0] }],
    });
  });

  it("sends calls and their results back in the protocol's form", async () => {
    const toolCalls = [{ id: "call_9", name: "create_topic", input: "{}" }];
    await provider().converse({
      messages: [
        ...messages,
        { role: "assistant", content: "", toolCalls },
        { role: "tool", callId: "call_9", content: "ok" },
      ],
      tools,
    });
    expect(sample.requests[0]?.body.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_9", type: "function", function: { name: "create_topic", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_9", content: "ok" },
    ]);
  });

  it("skips malformed tool calls and accepts arguments sent as an object", async () => {
    const fetch = answeringWith({
      role: "assistant",
      content: null,
      tool_calls: [
        null,
        {},
        { id: 7, function: { name: 5 } },
        { function: { name: "create_topic", arguments: { name: "Water" } } },
      ],
    });
    expect((await provider({ fetch }).converse({ messages, tools })).toolCalls).toEqual([
      { id: "call-3", name: "create_topic", input: '{"name":"Water"}' },
    ]);
  });

  it.each([{ content: null }, { content: "", tool_calls: [] }, { content: " ", tool_calls: "none" }])(
    "refuses %j, which has neither text nor calls",
    async (message) => {
      const fetch = answeringWith({ role: "assistant", ...message });
      expect(await typeOf(provider({ fetch }).converse({ messages, tools }))).toBe("AI_BAD_ANSWER");
    },
  );

  it.each<[FaultName, string]>([
    ["unauthorized", "INVALID_API_KEY"],
    ["rate-limit", "AI_RATE_LIMITED"],
    ["server-error", "AI_PROVIDER_ERROR"],
    ["truncated", "AI_PROVIDER_ERROR"],
    ["html", "AI_BAD_ANSWER"],
    ["filtered", "AI_DECLINED"],
  ])("maps %s to %s", async (fault, type) => {
    sample.faults.next([fault]);
    expect(await typeOf(converse("Hello"))).toBe(type);
  });

  describe("with an answer that ran into its limit", () => {
    const spent = { kind: "replay", name: "deepseek-no-room" } as const;
    const asked = () => provider().converse({ messages, tools, limits: { maxTokens: 50 } });

    it("asks once more, with more room and for few thoughts, and counts both", async () => {
      sample.faults.next([spent, null]);
      const { text, tokensReasoning, tokensOut } = await asked();
      expect(text).toContain("What would you like to plan?");
      expect([tokensReasoning, tokensOut > 81]).toEqual([81, true]);
      expect(sample.requests.map(({ body }) => [body.max_tokens, body.reasoning_effort])).toEqual([
        [50, undefined],
        [undefined, "low"],
      ]);
      expect(sample.requests[1]?.body.tools).toHaveLength(1);
    });

    it("does not ask a third time, and says what both have cost", async () => {
      sample.faults.mode = spent;
      const failure = await asked().catch((error: unknown) => error);
      expect(failure).toMatchObject({ type: "AI_BAD_ANSWER" });
      expect(tokensOf(failure).tokensReasoning).toBe(162);
      expect(sample.requests).toHaveLength(2);
    });

    it.each<[string, Script]>([
      ["fails", "server-error"],
      ["brings nothing", spent],
    ])("keeps half an answer when the second one %s", async (_what, second) => {
      sample.faults.next(["cut-short", second]);
      expect((await asked()).text).toMatch(/^\S.+/s);
    });

    it("keeps nothing when its caller has stopped it", async () => {
      const stop = new AbortController();
      sample.faults.next(["cut-short", "hang"]);
      const run = provider().converse({ messages, tools, signal: stop.signal });
      run.catch(() => undefined);
      await eventually(async () => sample.requests.length === 2, Boolean);
      stop.abort();
      await expect(run).rejects.toMatchObject({ name: "AbortError" });
    });
  });

  it("ends at its own timeout and at the caller's", async () => {
    sample.faults.mode = "hang";
    expect(
      await typeOf(
        provider({ times: { firstByteMs: 300, silenceMs: 300, callMs: 300 } }).converse({ messages, tools }),
      ),
    ).toBe("AI_TIMEOUT");
    const signal = AbortSignal.timeout(80);
    expect(await typeOf(provider().converse({ messages, tools, signal }))).toBe("AI_TIMEOUT");
  });
});

describe("the sample provider", () => {
  const callsOf = async (prompt: string) =>
    (await converse(prompt)).toolCalls.map(({ name, input }) => [name, JSON.parse(input)]);

  it.each([
    ["Create a project called Balcony farm", "create_project", { title: "Balcony farm" }],
    ["Please create a project “Balcony farm”.", "create_project", { title: "Balcony farm" }],
    ["Add a topic Watering plants to the project", "create_topic", { name: "Watering plants" }],
    [
      "Add keywords rain barrels, drip lines and clay pots",
      "add_keywords",
      { keywords: ["rain barrels", "drip lines", "clay pots"] },
    ],
    ["Set the persona to Tessa, who rents a flat", "set_buyer_persona", { name: "Tessa" }],
  ])("understands %j", async (prompt, tool, input) => {
    expect(await callsOf(prompt)).toEqual([[tool, expect.objectContaining(input)]]);
  });

  it("understands several requests at once and orders them by dependency", async () => {
    const calls = await callsOf(
      "Add a topic Watering with keywords: rain barrels. Create a project called Balcony farm",
    );
    expect(calls.map(([name]) => name)).toEqual(["create_project", "create_topic", "add_keywords"]);
  });

  it.each(["Hello!", "What can you do with my project?", "Add a topic to my project", "Which topics are there?"])(
    "asks one question when %j names nothing to create",
    async (prompt) => {
      const { text, toolCalls } = await converse(prompt);
      expect(toolCalls).toEqual([]);
      expect(text.match(/\?/g)).toHaveLength(1);
    },
  );
});
