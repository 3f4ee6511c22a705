import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";

/**
 * The messages as every provider takes them: some accept no two messages of one role in a row, and some no system message
 * after the first. Neighbours are joined with a blank line between, whole, so that each fence stays closed.
 */
export function joinRoles(messages: ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  const joined: ChatCompletionMessageParam[] = [];
  for (const [index, each] of messages.entries()) {
    const message = each.role === "system" && index > 0 ? { ...each, role: "user" as const } : each;
    const whole = joinedTo(joined.at(-1), message);
    if (whole) joined[joined.length - 1] = whole;
    else joined.push(message);
  }
  return joined;
}

/** Undefined where the two stay apart: a tool's result and a message with tool calls are each one message. */
function joinedTo(
  before: ChatCompletionMessageParam | undefined,
  message: ChatCompletionMessageParam,
): ChatCompletionMessageParam | undefined {
  if (before?.role !== message.role || message.role === "tool" || "tool_calls" in before) return undefined;
  if (typeof before.content !== "string" || typeof message.content !== "string") return undefined;
  const content = [before.content, message.content].filter((text) => text !== "").join("\n\n");
  return { ...message, content };
}
