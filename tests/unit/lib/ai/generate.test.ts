import { randomUUID } from "node:crypto";
import { generate } from "@/lib/ai/generate";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import type { Prompt } from "@/lib/ai/prompts/prompt";
import { createAiProvider } from "@/lib/ai/provider";
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
