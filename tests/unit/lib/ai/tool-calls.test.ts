import { mergeDelta, type RawMessage, rawToSendBack, readToolCalls } from "@/lib/ai/tool-calls";

function merged(...deltas: RawMessage[]): RawMessage {
  const message: RawMessage = {};
  for (const delta of deltas) mergeDelta(message, delta);
  return message;
}

const calls = (...parts: object[]) => readToolCalls(merged(...parts.map((part) => ({ tool_calls: [part] }))));
const A = { id: "a", name: "create_topic", input: '{"name":"Water"}' };
const B = { id: "b", name: "create_topic", input: "{}" };

describe("the parts of a streamed tool call", () => {
  it("are put together by their index", () => {
    expect(
      calls(
        { index: 0, id: "a", function: { name: "create_topic", arguments: "" } },
        { index: 1, id: "b", function: { name: "create_topic", arguments: "{" } },
        { index: 0, function: { arguments: '{"name":' } },
        { index: 1, function: { arguments: "}" } },
        { index: 0, function: { arguments: '"Water"}' } },
      ),
    ).toEqual([A, B]);
  });

  it("belong to the last call when they have no index", () => {
    expect(
      calls(
        { id: "a", function: { name: "create_topic", arguments: '{"name":' } },
        { function: { arguments: '"Water"}' } },
        { id: "b", function: { name: "create_topic", arguments: "{}" } },
      ),
    ).toEqual([A, B]);
  });

  it("may repeat id and name", () => {
    const again = (input: string) => ({ index: 0, id: "a", function: { name: "create_topic", arguments: input } });
    expect(calls(again('{"name":'), again('"Water"}'))).toEqual([A]);
  });

  it("may repeat the name without index and id", () => {
    const again = (input: string) => ({ function: { name: "create_topic", arguments: input } });
    expect(calls(again('{"name":'), again('"Water"}'), again("{}"))).toEqual([
      { ...A, id: "call-0" },
      { ...B, id: "call-1" },
    ]);
  });

  it("are different calls when one index has two ids", () => {
    expect(
      calls(
        { index: 0, id: "a", function: { name: "create_topic", arguments: '{"name":"Water"}' } },
        { index: 0, id: "b", function: { name: "create_topic", arguments: "{" } },
        { index: 0, function: { arguments: "}" } },
      ),
    ).toEqual([A, B]);
  });

  it("may have their arguments as an object", () => {
    expect(calls({ index: 0, id: "a", function: { name: "create_topic", arguments: { name: "Water" } } })).toEqual([A]);
  });

  it("may be anything", () => {
    const deltas = [null, 7, {}, { index: 0 }, { function: null }, { index: 1, id: "b", function: { name: 5 } }];
    expect(readToolCalls(merged({ tool_calls: deltas }, { tool_calls: "none" }))).toEqual([]);
  });

  it("cannot reach the prototype of objects", () => {
    merged({ extra: JSON.parse('{"__proto__":{"stained":1}}') }, JSON.parse('{"__proto__":{"stained":1}}'));
    expect({}).not.toHaveProperty("stained");
  });
});

describe("the message that goes back", () => {
  const signed = {
    id: "a",
    type: "function",
    function: { name: "create_topic", arguments: '{"name":"Water"}' },
    extra_content: { google: { thought_signature: "c2ln" } },
  };

  it("has the provider's own members, as they came", () => {
    const message = merged(
      { role: "assistant", content: null, reasoning_content: "Hm, " },
      {
        reasoning_content: "well.",
        reasoning_details: [{ type: "reasoning.text", index: 0, text: "Hm, ", signature: null }],
      },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "well.", signature: "c2ln" }] },
      { tool_calls: [{ index: 0, ...signed }] },
    );
    expect(rawToSendBack(message, [A])).toEqual({
      role: "assistant",
      reasoning_content: "Hm, well.",
      reasoning_details: [{ type: "reasoning.text", index: 0, text: "Hm, well.", signature: "c2ln" }],
      tool_calls: [signed],
    });
  });

  it("keeps a content that is a list of parts", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    const message = merged(
      { content: [thinking] },
      { content: "One " },
      { content: "moment." },
      { tool_calls: [signed] },
    );
    const parts = [thinking, { type: "text", text: "One " }, { type: "text", text: "moment." }];
    expect(rawToSendBack(message, [A])?.content).toEqual(parts);
  });

  it("gives a call without an id the one that its result has", () => {
    const { id: _, ...unnamed } = signed;
    expect(rawToSendBack({ tool_calls: [unnamed] }, [{ ...A, id: "call-0" }])?.tool_calls).toEqual([
      { ...signed, id: "call-0" },
    ]);
  });

  it("is ours when it is larger than 256 KB, or has calls that cannot be answered", () => {
    const message = { tool_calls: [signed], reasoning_content: "x".repeat(256 * 1024) };
    expect(rawToSendBack(message, [A])).toBeUndefined();
    expect(rawToSendBack({ tool_calls: [signed, { function: null }] }, [A])).toBeUndefined();
    expect(rawToSendBack({ content: "No calls." }, [])).toBeUndefined();
  });
});
