import { SAMPLE_NOTE } from "@/tests/support/ai/prose";
import type { AssistantTurn, ChatRequest } from "@/tests/support/ai/wire";

/**
 * How the sample provider plans: it finds "project X", "persona X", "topic X" and "keywords: a, b" in the person's
 * message and asks for the tools of each; once they have answered it says so.
 */
export function sampleTurn(request: ChatRequest): AssistantTurn {
  const last = request.messages.at(-1);
  if (last?.role === "tool") return { text: closing(request) };
  const calls = callsFor(String(last?.content ?? ""));
  if (calls.length > 0) return { calls };
  return {
    text: `${SAMPLE_NOTE} Tell me what to plan, such as: create a topic “Watering” with keywords: rain barrels, drip lines.`,
  };
}

type Call = { name: string; input: unknown };

function callsFor(message: string): Call[] {
  const project = named(message, "project");
  const persona = named(message, "persona");
  const topic = named(message, "topic");
  const keywords = /keywords?\s*:\s*([^.\n]+)/i
    .exec(message)?.[1]
    ?.split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  return [
    ...(project ? [{ name: "create_project", input: { title: project } }] : []),
    ...(persona
      ? [{ name: "set_buyer_persona", input: { name: persona, description: `${persona} is a sample reader.` } }]
      : []),
    ...(topic ? [{ name: "create_topic", input: { name: topic, description: `Everything about ${topic}.` } }] : []),
    ...(keywords?.length ? [{ name: "add_keywords", input: { keywords } }] : []),
  ];
}

/** What stands in quotes after the noun. */
function named(message: string, noun: string): string | undefined {
  return new RegExp(`${noun}[^“"”]{0,20}[“"]([^”"]+)[”"]`, "i").exec(message)?.[1];
}

function closing(request: ChatRequest): string {
  const results = request.messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
  const failed = results.some((result) => result.includes('"ok":false'));
  return failed ? "Some of it could not be done." : "That is set up now. What next?";
}
