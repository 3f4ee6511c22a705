import { type ActionType, actionType, type ChatAction, type ChatResponse } from "@/lib/features/assistant/schema";

/** What one message may change. */
export const MOST_ACTIONS = 10;

/** Answers of the provider to one message: it may look, act and look again, then it has to speak. */
export const MOST_ROUNDS = 6;

/** A turn ends by itself before the host ends the request, so that what was made can still be told. */
export const TURN_BUDGET_MS = 240_000;

export const GREETING =
  "Hello! I can set up projects, describe your buyer persona, and add topics and keywords. What would you like to plan?";

/** What was asked for and not done. */
export type Refusal = { label: string; error: string };

/** What a turn came to: the provider's words, what was done, and what it asked for that is no action of ours. */
export type Turn = { text: string; actions: ChatAction[]; refused: Refusal[] };

/** The `response` of the API and what the conversation keeps of it. */
export type Reply = { response: string; content: string; actionType: ActionType | null };

/** Words alone are sent as they are; with something made they are the documented JSON. What failed is always told. */
export function replyOf({ text, actions, refused }: Turn): Reply {
  const made = actions.filter(({ ok }) => ok);
  const words = text || (made.length > 0 ? doneSoFar(actions) : SILENCE);
  const failed = actions.flatMap(({ ok, label, error = "" }) => (ok ? [] : [{ label, error }]));
  const lines = notDone([...failed, ...refused]);
  const message = lines.length > 0 ? `${words}\n\nNot done:\n${lines.map((line) => `- ${line}`).join("\n")}` : words;
  const highest = actionType.options.find((type) => made.some((action) => action.type === type));
  if (highest) {
    const response: ChatResponse = { type: "action", actionType: highest, message, actions };
    return { response: JSON.stringify(response), content: message, actionType: highest };
  }
  // What looks like our JSON and is not must not be taken for it.
  const response: ChatResponse = { type: "chat", message };
  return { response: isJson(message) ? JSON.stringify(response) : message, content: message, actionType: null };
}

/** What was made, by name. */
export function doneSoFar(actions: ChatAction[]): string {
  const made = actions.filter(({ ok }) => ok);
  return `Done: ${made.map(({ label }) => label).join(", ")}.`;
}

const SILENCE = "I did not find anything to do there. Tell me what you would like to plan.";

/** One line a reason, naming what it kept from being done. */
function notDone(refusals: Refusal[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { label, error } of refusals) byReason.set(error, [...(byReason.get(error) ?? []), label]);
  return [...byReason].map(([error, labels]) => {
    const rest = labels.length - MOST_NAMED;
    return `${labels.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}: ${error}`;
  });
}

const MOST_NAMED = 20;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
