import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { z } from "zod";
import { createAiProvider } from "@/lib/ai/provider";
import { joinRoles } from "@/lib/ai/wire-messages";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";

const user = (content: string) => ({ role: "user" as const, content });
const assistant = (content: string) => ({ role: "assistant" as const, content });
const system = (content: string) => ({ role: "system" as const, content });
const tool = (id: string) => ({ role: "tool" as const, tool_call_id: id, content: "ok" });
const calls = [{ id: "1", type: "function" as const, function: { name: "f", arguments: "{}" } }];

let sample: SampleAiProvider;
beforeAll(async () => {
  sample = await startSampleAiProvider();
});
afterAll(() => sample.close());

describe("the messages of a call", () => {
  it.each<[string, ChatCompletionMessageParam[], ChatCompletionMessageParam[]]>([
    ["join neighbours of one role", [user("a"), user("b"), user("c")], [user("a\n\nb\n\nc")]],
    ["join answers", [user("a"), assistant("b"), assistant("c")], [user("a"), assistant("b\n\nc")]],
    ["keep turns apart", [user("a"), assistant("b"), user("c")], [user("a"), assistant("b"), user("c")]],
    ["have no system message but the first", [system("a"), user("b"), system("c")], [system("a"), user("b\n\nc")]],
    ["join system messages at the start to the user's", [system("a"), system("b")], [system("a"), user("b")]],
    ["lose nothing to an empty one", [user(""), user("b")], [user("b")]],
    [
      "keep each tool's result",
      [{ ...assistant(""), tool_calls: calls }, tool("1"), tool("2")],
      [{ ...assistant(""), tool_calls: calls }, tool("1"), tool("2")],
    ],
    [
      "keep the calls of an answer that had words before",
      [assistant("a"), { ...assistant("b"), tool_calls: calls }, assistant("c")],
      [{ ...assistant("a\n\nb"), tool_calls: calls }, assistant("c")],
    ],
    [
      "keep fences whole",
      [user('<data name="x">\n1\n</data>'), user('<data name="y">\n2\n</data>')],
      [user('<data name="x">\n1\n</data>\n\n<data name="y">\n2\n</data>')],
    ],
  ])("%s", (_what, messages, expected) => {
    expect(joinRoles(messages)).toEqual(expected);
  });

  it("include the schema for a provider without response_format", async () => {
    sample.faults.refuses.add("response_format");
    const ai = createAiProvider({ apiKey: sample.apiKey, baseUrl: sample.url, model: "tiny" });
    await ai.complete({ messages: [user("a"), user("b")], schema: z.object({ title: z.string() }) });
    expect(sample.requests.at(-1)?.body.messages).toEqual([user(expect.stringMatching(/^a\n\nb\n\n.*"title"/s))]);
  });
});
