import { z } from "zod";
import { createAiProvider } from "@/lib/ai/provider";
import type { Refusable } from "@/scripts/samples/ai/faults";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";

let sample: SampleAiProvider;
const messages = [{ role: "user" as const, content: "Hello" }];
const limits = { maxTokens: 500, temperature: 0.5 };
const schema = z.object({ title: z.string() });

beforeEach(async () => {
  // Refused parameters are remembered by address, so each test has its own provider.
  sample = await startSampleAiProvider();
});
afterEach(() => sample.close());

function provider(model = "tiny") {
  return createAiProvider({ apiKey: sample.apiKey, baseUrl: sample.url, model });
}

const sent = () =>
  sample.requests.map(({ body }) =>
    Object.keys(body)
      .filter((name) => PARAMETERS.has(name))
      .sort(),
  );
const PARAMETERS = new Set<string>([
  "response_format",
  "temperature",
  "max_tokens",
  "max_completion_tokens",
  "stream_options",
] satisfies Refusable[]);

describe.each([false, true])("a provider that refuses parameters (refusals in prose: %s)", (wordy) => {
  beforeEach(() => {
    sample.faults.wordyRefusals = wordy;
  });

  it("is sent the newer token limit, and no temperature, from then on", async () => {
    sample.faults.refuses.add("max_tokens").add("temperature");
    await provider().complete({ messages, limits });
    expect(sent().at(-1)).toEqual(["max_completion_tokens", "stream_options"]);
    expect(sample.requests).toHaveLength(3);
    await provider().complete({ messages, limits });
    expect(sample.requests).toHaveLength(4);
  });

  it("is sent no token limit when it supports neither parameter", async () => {
    sample.faults.refuses.add("max_tokens").add("max_completion_tokens");
    await provider().complete({ messages, limits });
    expect(sent().at(-1)).toEqual(["stream_options", "temperature"]);
  });

  it("gets the schema in the prompt when it does not support response_format", async () => {
    sample.faults.refuses.add("response_format");
    await provider().complete({ messages, schema, schemaName: "piece" });
    const last = sample.requests.at(-1)?.body;
    expect(last?.response_format).toBeUndefined();
    expect(last?.messages.at(-1)?.content).toContain('"title"');
    await provider().complete({ messages, schema });
    expect(sample.requests).toHaveLength(3);
  });

  it("streams without counting tokens", async () => {
    sample.faults.refuses.add("stream_options");
    const stream = provider().stream({ messages });
    let next = await stream.next();
    while (!next.done) next = await stream.next();
    expect(next.value).toMatchObject({ tokensIn: 0, tokensOut: 0 });
    expect(next.value.text).not.toBe("");
  });

  it("may refuse every parameter", async () => {
    for (const name of PARAMETERS) sample.faults.refuses.add(name as Refusable);
    const stream = provider().stream({ messages, limits, schema });
    let next = await stream.next();
    while (!next.done) next = await stream.next();
    expect(sent().at(-1)).toEqual([]);
    expect(sample.requests).toHaveLength(6);
  });
});

it("remembers refusals for each model separately", async () => {
  sample.faults.refuses.add("temperature");
  await provider("one").complete({ messages, limits });
  sample.requests.length = 0;
  await provider("two").complete({ messages, limits });
  expect(sent()[0]).toContain("temperature");
});

it("sends the schema as strict JSON Schema", async () => {
  await provider().complete({ messages, schema, schemaName: "piece" });
  expect(sample.requests[0]?.body.response_format).toMatchObject({
    type: "json_schema",
    json_schema: { name: "piece", strict: true, schema: { additionalProperties: false, required: ["title"] } },
  });
});

it("gives up on a refusal that no parameter explains", async () => {
  const refusing: typeof fetch = async () =>
    Response.json(
      { error: { message: "Too long", code: "context_length_exceeded", param: "max_tokens" } },
      { status: 400 },
    );
  const calls = jest.fn(refusing);
  const ai = createAiProvider({ apiKey: "k", baseUrl: "http://127.0.0.1:1/v1", model: "tiny", fetch: calls });
  await expect(ai.complete({ messages, limits })).rejects.toMatchObject({ type: "AI_TOO_LARGE" });
  expect(calls).toHaveBeenCalledTimes(1);
});

it("asks without streaming a model that refuses it, from then on", async () => {
  sample.faults.refuses.add("stream");
  for (let n = 0; n < 2; n++)
    await expect(provider().complete({ messages })).resolves.toMatchObject({ cutShort: false });
  expect(sample.requests.map(({ body }) => body.stream)).toEqual([true, false, false]);
  expect(sample.requests.at(-1)?.body).not.toHaveProperty("stream_options");
  const words: string[] = [];
  for await (const text of provider().stream({ messages })) words.push(text);
  expect(words).toEqual([expect.stringContaining("sample provider")]);
});

it("does not ask a model to stream that has answered with the whole", async () => {
  sample.faults.next([{ kind: "replay", name: "mistral-whole" }]);
  for (let n = 0; n < 2; n++) await provider().complete({ messages });
  expect(sample.requests.map(({ body }) => body.stream)).toEqual([true, false]);
});

it("sends its own form of a message whose members are refused", async () => {
  const bodies: { messages: object[] }[] = [];
  const strict: typeof fetch = async (_input, init) => {
    const body = JSON.parse(String(init?.body));
    bodies.push(body);
    const message = "property 'reasoning_details' is unsupported";
    if ("reasoning_details" in body.messages[1]) return Response.json({ error: { message } }, { status: 400 });
    return Response.json({ choices: [{ message: { content: "Done." }, finish_reason: "stop" }] });
  };
  const ai = createAiProvider({ apiKey: "k", baseUrl: sample.url, model: "strict", fetch: strict });
  const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
  const message = { role: "assistant", content: "", reasoning_details: [], tool_calls: [call] };
  const toolCalls = [{ id: "a", name: "f", input: "{}" }];
  const turns = [...messages, { role: "assistant" as const, content: "", toolCalls, message }];
  expect((await ai.converse({ messages: turns, tools: [] })).text).toBe("Done.");
  const { reasoning_details: _, ...own } = message;
  expect(bodies.map((body) => body.messages[1])).toEqual([message, own]);
});
