import { type ActionType, actionType, type ChatAction, type ChatResponse } from "@/lib/features/assistant/schema";

/** What one message may change. */
export const MOST_ACTIONS = 10;

/** Answers of the provider to one message: it may look, act and look again, then it has to speak. */
export const MOST_ROUNDS = 6;

export const GREETING =
  "Hello! I can set up projects, describe your buyer persona, and add topics and keywords. What would you like to plan?";

/** What a turn came to: the provider's words, what was done and what was not. */
export type Turn = { text: string; actions: ChatAction[] };

/** The `response` of the API and what the conversation keeps of it. */
export type Reply = { response: string; content: string; actionType: ActionType | null };

/** Words alone are sent as they are; with something made they are the documented JSON. What failed is always told. */
export function replyOf({ text, actions }: Turn): Reply {
  const made = actions.filter(({ ok }) => ok);
  const words = text || (made.length > 0 ? `Done: ${made.map(({ label }) => label).join(", ")}.` : SILENCE);
  const failed = actions.filter(({ ok }) => !ok).map(({ label, error }) => `${label}: ${error}`);
  const message = failed.length > 0 ? `${words}\n\nNot done:\n${failed.map((line) => `- ${line}`).join("\n")}` : words;
  const highest = actionType.options.find((type) => made.some((action) => action.type === type));
  if (highest) {
    const response: ChatResponse = { type: "action", actionType: highest, message, actions };
    return { response: JSON.stringify(response), content: message, actionType: highest };
  }
  // What looks like our JSON and is not must not be taken for it.
  const response: ChatResponse = { type: "chat", message };
  return { response: isJson(message) ? JSON.stringify(response) : message, content: message, actionType: null };
}

const SILENCE = "I did not find anything to do there. Tell me what you would like to plan.";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
