import { randomUUID } from "node:crypto";
import { generate } from "@/lib/ai/generate";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import type { Prompt } from "@/lib/ai/prompts/prompt";
import { createAiProvider } from "@/lib/ai/provider";
import { tokensOf } from "@/lib/ai/tokens";
import { env } from "@/lib/env";
import type { FaultName } from "@/scripts/samples/ai/faults";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { persona, project, topic } from "@/tests/unit/lib/ai/inputs";

let sample: SampleAiProvider;

// A unique key: a late request to a closed server, whose port this one reuses, must not use up its faults.
beforeEach(async () => {
  sample = await startSampleAiProvider({ apiKey: `sk-${randomUUID()}` });
});
afterEach(() => sample.close());

const provider = () => createAiProvider({ apiKey: sample.apiKey, baseUrl: sample.url, model: "tiny" });
const keywords = keywordsPrompt({ project, topic, persona, existing: [], count: 10 });

/** A plain-text prompt; the test decides how its answer is read. */
function plain(read: Prompt<string>["read"]): Prompt<string> {
  return { name: "plain", version: "plain-1", messages: [{ role: "user", content: "Write" }], limits: {}, read };
}

it("returns the value with model, prompt version, tokens and time", async () => {
  const { value, usage } = await generate(provider(), keywords);
  expect(value.keywords).toHaveLength(10);
  expect(usage).toMatchObject({ model: "tiny-sample", promptVersion: keywords.version });
  expect(usage.tokensIn).toBeGreaterThan(0);
  expect(usage.tokensOut).toBeGreaterThan(0);
});

it("reads JSON in a code fence with prose around it, without asking again", async () => {
  sample.faults.next(["chatty"]);
  await expect(generate(provider(), keywords)).resolves.toBeDefined();
  expect(sample.requests).toHaveLength(1);
});

it("reads JSON from a provider without response_format", async () => {
  sample.faults.refuses.add("response_format");
  const { value } = await generate(provider(), keywords);
  expect(value.keywords).toHaveLength(10);
});

it.each<FaultName>(["garbage", "wrong-json", "cut-short", "empty", "html"])(
  "asks once more after %s",
  async (fault) => {
    sample.faults.next([fault]);
    const { value } = await generate(provider(), keywords);
    expect(value.keywords).toHaveLength(10);
    expect(sample.requests).toHaveLength(2);
  },
);

it("does not ask again when the provider declined", async () => {
  sample.faults.next(["filtered"]);
  await expect(generate(provider(), keywords)).rejects.toMatchObject({ type: "AI_DECLINED" });
  expect(sample.requests).toHaveLength(1);
});

it.each<FaultName>(["garbage", "wrong-json", "cut-short", "empty", "html"])(
  "fails with AI_BAD_ANSWER after %s twice, without a third request",
  async (fault) => {
    sample.faults.mode = fault;
    await expect(generate(provider(), keywords)).rejects.toMatchObject({ type: "AI_BAD_ANSWER" });
    expect(sample.requests).toHaveLength(2);
  },
);

it("sends the provider its answer and what was wrong with it", async () => {
  sample.faults.next(["wrong-json"]);
  await generate(provider(), keywords);
  const [answer, complaint] = sample.requests[1]?.body.messages.slice(-2) ?? [];
  expect(answer).toEqual({ role: "assistant", content: '{"unexpected":true}' });
  expect(complaint?.content).toContain("did not match the schema");
});

it.each<[FaultName, string]>([
  ["rate-limit", "AI_RATE_LIMITED"],
  ["unauthorized", "INVALID_API_KEY"],
  ["server-error", "AI_PROVIDER_ERROR"],
  ["truncated", "AI_PROVIDER_ERROR"],
])("does not ask again after %s", async (fault, type) => {
  sample.faults.next([fault]);
  await expect(generate(provider(), keywords)).rejects.toMatchObject({ type });
  expect(sample.requests).toHaveLength(1);
});

it("uses the usable part when the second answer is no better", async () => {
  let attempts = 0;
  const prompt = plain(() => ({ ok: false, problem: "Too short.", usable: `answer ${++attempts}` }));
  await expect(generate(provider(), prompt)).resolves.toMatchObject({ value: "answer 2" });
  expect(sample.requests).toHaveLength(2);
});

it("falls back to the first answer when the second is not usable at all", async () => {
  let attempts = 0;
  const prompt = plain(() =>
    ++attempts === 1 ? { ok: false, problem: "Too short.", usable: "the first" } : { ok: false, problem: "Nothing." },
  );
  await expect(generate(provider(), prompt)).resolves.toMatchObject({ value: "the first" });
});

it("adds up the tokens of both requests", async () => {
  const once = await generate(
    provider(),
    plain((text) => ({ ok: true, value: text })),
  );
  let attempts = 0;
  const twice = await generate(
    provider(),
    plain((text) => (++attempts === 1 ? { ok: false, problem: "No." } : { ok: true, value: text })),
  );
  expect(twice.usage.tokensOut).toBe(once.usage.tokensOut * 2);
});

it("streams the text and reports when the streamed text is discarded", async () => {
  let attempts = 0;
  let shown = "";
  const restarted = jest.fn(() => {
    shown = "";
  });
  const { value } = await generate(
    provider(),
    plain((text) => (++attempts === 1 ? { ok: false, problem: "No." } : { ok: true, value: text })),
    {
      onDelta: (delta) => {
        shown += delta;
      },
      onRestart: restarted,
    },
  );
  expect(restarted).toHaveBeenCalledTimes(1);
  expect(shown).toBe(value);
});

const accepting = plain((text) => ({ ok: true, value: text }));
const usableOnly = plain(() => ({ ok: false, problem: "Too short.", usable: "the first" }));
const limited = { ...accepting, limits: { maxTokens: 500 } };

describe("an answer that ran into its token limit", () => {
  it("is asked for once more, without a limit and with little thought", async () => {
    sample.faults.next(["cut-short"]);
    const { value } = await generate(provider(), limited);
    const [first, second] = sample.requests.map(({ body }) => body);
    expect(first).toMatchObject({ max_tokens: 500 });
    expect(first).not.toHaveProperty("reasoning_effort");
    expect(second).toMatchObject({ reasoning_effort: "low" });
    expect(second).not.toHaveProperty("max_tokens");
    // The half answer is not paid for again.
    expect(second?.messages.map(({ role }) => role)).toEqual(["user"]);
    expect(value).toContain("sample provider");
  });

  it("is asked for with twice the limit where the model needs one, at most 32,000", async () => {
    for (const [limit, wider] of [
      [500, 1_000],
      [20_000, 32_000],
      [40_000, 40_000],
    ]) {
      sample.requests.length = 0;
      sample.faults.needsTokenLimit = true;
      sample.faults.next(["cut-short"]);
      await generate(provider(), { ...limited, limits: { maxTokens: limit } });
      expect(sample.requests.at(-1)?.body).toMatchObject({ max_tokens: wider });
    }
  });

  it("is asked for without reasoning_effort where the model does not take it", async () => {
    sample.faults.refuses.add("reasoning_effort");
    sample.faults.next(["cut-short"]);
    await generate(provider(), limited);
    expect(sample.requests.at(-1)?.body).not.toHaveProperty("reasoning_effort");
    expect(sample.requests).toHaveLength(3);
  });

  it("is kept when it can be used and the second one fails", async () => {
    sample.faults.next(["cut-short", "server-error"]);
    const { value, usage } = await generate(provider(), limited);
    expect(value.length).toBeGreaterThan(10);
    expect(usage.tokensOut).toBeGreaterThan(0);
  });

  it("is an error when it was all thoughts, twice", async () => {
    const thoughts: typeof fetch = async () =>
      Response.json({
        choices: [{ message: { content: "<think>Hm, let me see" }, finish_reason: "length" }],
        usage: { prompt_tokens: 10, completion_tokens: 500, completion_tokens_details: { reasoning_tokens: 500 } },
      });
    const ai = createAiProvider({ apiKey: "k", baseUrl: sample.url, model: "thinker", fetch: thoughts });
    const failure = await generate(
      ai,
      plain(() => ({ ok: false, problem: "Empty." })),
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: "AI_BAD_ANSWER" });
    expect(tokensOf(failure)).toEqual({
      tokensIn: 20,
      tokensOut: 1_000,
      tokensCached: 0,
      tokensReasoning: 1_000,
    });
  });
});

describe("a usable first answer", () => {
  it.each<FaultName>(["rate-limit", "server-error", "unauthorized", "filtered", "truncated", "empty"])(
    "is kept with its tokens when its correction ends in %s",
    async (fault) => {
      sample.faults.next([null, fault]);
      const { value, usage } = await generate(provider(), usableOnly);
      expect(value).toBe("the first");
      expect(usage.tokensOut).toBeGreaterThan(0);
      expect(sample.requests).toHaveLength(2);
    },
  );

  it("is kept when the time for all of it runs out", async () => {
    sample.faults.next([null, "hang"]);
    await expect(generate(provider(), usableOnly, { signal: AbortSignal.timeout(500) })).resolves.toMatchObject({
      value: "the first",
    });
  });

  it("is taken without a second call where that could not end in its request", async () => {
    env.VERCEL = "1";
    const late = performance.now() + 50_000;
    const onDelta = () => void jest.spyOn(performance, "now").mockReturnValue(late);
    await expect(generate(provider(), usableOnly, { onDelta })).resolves.toMatchObject({ value: "the first" });
    expect(sample.requests).toHaveLength(1);
    jest.restoreAllMocks();
    delete env.VERCEL;
  });

  it("is not kept when the caller stops", async () => {
    const stop = new AbortController();
    sample.faults.next([null, "hang"]);
    const onRestart = () => setTimeout(() => stop.abort(new Error("Stop")), 50);
    await expect(generate(provider(), usableOnly, { signal: stop.signal, onRestart })).rejects.toThrow("Stop");
  });
});

describe("what was paid", () => {
  it("is with the failure", async () => {
    sample.faults.next(["wrong-json", "filtered"]);
    const failure = await generate(provider(), keywords).catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: "AI_DECLINED" });
    expect(tokensOf(failure).tokensIn).toBeGreaterThan(0);
  });

  it("counts answers that could not be used", async () => {
    sample.texts.push("");
    sample.faults.next([
      { kind: "replay", name: "deepseek" },
      { kind: "replay", name: "deepseek" },
    ]);
    const { usage } = await generate(provider(), accepting);
    expect(usage).toMatchObject({ tokensIn: 32, tokensOut: 184, tokensCached: 12, tokensReasoning: 162 });
  });

  it("tells cached tokens and those of thoughts", async () => {
    sample.faults.next([{ kind: "replay", name: "deepseek" }]);
    const { usage } = await generate(provider(), accepting);
    expect(usage).toMatchObject({ tokensIn: 16, tokensOut: 92, tokensCached: 6, tokensReasoning: 81 });
  });
});

it("says that the model thinks, and restarts the shown text where that was thoughts", async () => {
  const events: string[] = [];
  const options = {
    onDelta: (text: string) => events.push(text.trim().slice(0, 4)),
    onThinking: () => events.push("thinks"),
    onRestart: () => events.push("restart"),
  };
  sample.faults.next([{ kind: "replay", name: "deepseek" }]);
  await generate(provider(), accepting, options);
  expect(events.slice(0, 2)).toEqual(["thinks", "*Sam"]);
  events.length = 0;
  sample.faults.next([{ kind: "replay", name: "vllm-unopened" }]);
  await generate(provider(), accepting, options);
  expect(events.slice(0, 1)).toEqual(["Gärt"]);
  expect(events).toContain("restart");
  events.length = 0;
  // Once known, its thoughts are held back.
  sample.faults.next([{ kind: "replay", name: "vllm-unopened" }]);
  await generate(provider(), accepting, options);
  expect(events.slice(0, 2)).toEqual(["thinks", "*Sam"]);
});
