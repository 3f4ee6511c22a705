import { SAMPLE_NOTE } from "@/scripts/samples/ai/prose";
import { projectList, suggestedAnswer, suggestedTopicCalls } from "@/scripts/samples/ai/suggestions";
import type { AssistantTurn, ChatRequest } from "@/scripts/samples/ai/wire";
import { clip, upperFirst } from "@/scripts/samples/ai/wording";

/**
 * Plans for the sample provider: answers what the screen suggests; finds "create a project called X", "set the persona to X",
 * "add a topic X" and "add keywords a, b" in the message, quoted or not, and calls the matching tools; otherwise asks one
 * question.
 */
export function sampleTurn(request: ChatRequest): AssistantTurn {
  const last = request.messages.at(-1);
  if (last?.role === "tool") return { text: closing(request) };
  const message = newestPart(String(last?.content ?? ""));
  const answer = suggestedAnswer(request, message);
  if (answer !== undefined) return { text: `${SAMPLE_NOTE}\n\n${answer}` };
  const calls = callsFor(request, message);
  if (calls.length > 0) return { calls };
  return {
    text: `${SAMPLE_NOTE} What would you like to plan? Try: create a topic “Watering” with keywords: rain barrels, drip lines.`,
  };
}

/** What the user said, without the project before it. */
function newestPart(content: string): string {
  const said = content.slice(content.lastIndexOf("</data>") + 1);
  return said.replace(/^(?:\/data>|There is no project in this conversation yet\.[^\n]*)\n\n/, "");
}

type Call = { name: string; input: unknown };

function callsFor(request: ChatRequest, message: string): Call[] {
  if (/\b(?:add|create) (?:them|these|all)\b/i.test(message)) return suggestedTopicCalls(request);
  if (/\blist (?:all )?(?:my|the) projects\b/i.test(message)) return [{ name: "list_projects", input: {} }];
  const blog = /\bproject for (?:a|my|our|the) blog (?:about|on) ([^.!?,\n]+)/i.exec(message)?.[1];
  const project = (blog && upperFirst(clip(blog, 100))) ?? quoted(message, "project") ?? plain(message, "project");
  const persona = quoted(message, "persona") ?? plain(message, "persona");
  const topic = quoted(message, "topic") ?? plain(message, "topic");
  const keywords = keywordsIn(message);
  return [
    ...(project ? [{ name: "create_project", input: { title: project } }] : []),
    ...(persona
      ? [{ name: "set_buyer_persona", input: { name: persona, description: `${persona} is a sample reader.` } }]
      : []),
    ...(topic ? [{ name: "create_topic", input: { name: topic, description: `Everything about ${topic}.` } }] : []),
    ...(keywords.length > 0 ? [{ name: "add_keywords", input: { keywords } }] : []),
  ];
}

/** The quoted text after the noun. */
function quoted(message: string, noun: string): string | undefined {
  return new RegExp(`${noun}[^“"”]{0,20}[“"]([^”"]+)[”"]`, "i").exec(message)?.[1];
}

const VERB = "\\b(?:add|create|make|start|set up|set|change|describe)";
const BETWEEN = "(?:\\s+(?:a|an|the|one|new|another|my|our|buyer))*";

/** What follows "create a project (called)", up to a comma, the end of the sentence or the next request. */
function plain(message: string, noun: string): string | undefined {
  const found = new RegExp(
    `${VERB}${BETWEEN}\\s+${noun}\\b(?:\\s+(?:called|named|about|to|as))?\\s*:?\\s+([^“”",;:.!?\\n]+)`,
    "i",
  ).exec(message)?.[1];
  const name = withoutTail(found ?? "");
  // "Add a topic to my project" gives no name.
  return name && !/^(?:to|in|for|on|with|of|and|please|my|the|this)\b/i.test(name) ? name : undefined;
}

function keywordsIn(message: string): string[] {
  const list =
    /\bkeywords?\s*:\s*([^.!?\n]+)/i.exec(message) ?? /\badd(?: the)? keywords?\s+([^.!?\n]+)/i.exec(message);
  return withoutTail(list?.[1] ?? "")
    .split(/,| and /)
    .map((one) => one.replace(/[“”"]/g, "").trim())
    .filter(Boolean);
}

function withoutTail(words: string): string {
  const [name = ""] = words.split(
    /\s+(?:with|and (?:a|an|the|add|create|set)|(?:to|in|for) (?:the|my|this|that|it))\b/i,
  );
  return name.trim();
}

function closing(request: ChatRequest): string {
  const results = request.messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
  const projects = projectList(results.at(-1) ?? "");
  if (projects) return projects;
  const failed = results.some((result) => result.includes('"ok":false'));
  return failed ? "Some of it could not be done." : "That is set up now. What next?";
}
