import { randomUUID } from "node:crypto";
import { generate } from "@/lib/ai/generate";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import type { Prompt } from "@/lib/ai/prompts/prompt";
import { createAiProvider } from "@/lib/ai/provider";
import type { FaultName } from "@/tests/support/ai/faults";
import { type SampleAiProvider, startSampleAiProvider } from "@/tests/support/ai-provider";
import { persona, project, topic } from "@/tests/unit/lib/ai/inputs";

let sample: SampleAiProvider;

// A key of its own: a request that was meant for a closed server, whose port this one got, uses up none of its faults.
beforeEach(async () => {
  sample = await startSampleAiProvider({ apiKey: `sk-${randomUUID()}` });
});
afterEach(() => sample.close());

const provider = () =>
  createAiProvider({ apiKey: sample.apiKey, baseUrl: sample.url, model: "tiny", timeoutMs: 5_000 });
const keywords = keywordsPrompt({ project, topic, persona, existing: [], count: 10 });

/** A plain-text prompt whose reading the test decides. */
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

it("reads JSON of a provider without response_format", async () => {
  sample.faults.refuses.add("response_format");
  const { value } = await generate(provider(), keywords);
  expect(value.keywords).toHaveLength(10);
});

it.each<FaultName>(["garbage", "wrong-json", "cut-short", "empty", "html", "filtered"])(
  "asks once more after %s",
  async (fault) => {
    sample.faults.next([fault]);
    const { value } = await generate(provider(), keywords);
    expect(value.keywords).toHaveLength(10);
    expect(sample.requests).toHaveLength(2);
  },
);

it.each<FaultName>(["garbage", "wrong-json", "cut-short", "empty", "html"])(
  "is AI_BAD_ANSWER after %s twice, and never asks a third time",
  async (fault) => {
    sample.faults.mode = fault;
    await expect(generate(provider(), keywords)).rejects.toMatchObject({ type: "AI_BAD_ANSWER" });
    expect(sample.requests).toHaveLength(2);
  },
);

it("tells the provider what was wrong, and shows it its answer", async () => {
  sample.faults.next(["wrong-json"]);
  await generate(provider(), keywords);
  const [said, told] = sample.requests[1]?.body.messages.slice(-2) ?? [];
  expect(said).toEqual({ role: "assistant", content: '{"unexpected":true}' });
  expect(told?.content).toContain("did not match the schema");
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

it("takes what is usable when the second answer is no better", async () => {
  let asks = 0;
  const prompt = plain(() => ({ ok: false, problem: "Too short.", usable: `answer ${++asks}` }));
  await expect(generate(provider(), prompt)).resolves.toMatchObject({ value: "answer 2" });
  expect(sample.requests).toHaveLength(2);
});

it("falls back on the first answer when the second is not usable at all", async () => {
  let asks = 0;
  const prompt = plain(() =>
    ++asks === 1 ? { ok: false, problem: "Too short.", usable: "the first" } : { ok: false, problem: "Nothing." },
  );
  await expect(generate(provider(), prompt)).resolves.toMatchObject({ value: "the first" });
});

it("adds up the tokens of both asks", async () => {
  const once = await generate(
    provider(),
    plain((text) => ({ ok: true, value: text })),
  );
  let asks = 0;
  const twice = await generate(
    provider(),
    plain((text) => (++asks === 1 ? { ok: false, problem: "No." } : { ok: true, value: text })),
  );
  expect(twice.usage.tokensOut).toBe(once.usage.tokensOut * 2);
});

it("streams the text, and says when what was streamed is thrown away", async () => {
  let asks = 0;
  let shown = "";
  const restarted = jest.fn(() => {
    shown = "";
  });
  const { value } = await generate(
    provider(),
    plain((text) => (++asks === 1 ? { ok: false, problem: "No." } : { ok: true, value: text })),
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
