import "server-only";
import { type AssistantInput, assistantPrompt } from "@/lib/ai/prompts/assistant";
import type { ToolTurn } from "@/lib/ai/prompts/prompt";
import { fenced, LABELS } from "@/lib/ai/prompts/shared";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { ACTION_TYPES, MOST_ACTIONS, MOST_ROUNDS, type Refusal } from "@/lib/features/assistant/rules";
import type { ActionType, ChatAction, ChatResponse } from "@/lib/features/assistant/schema";
import { runTool, type Scope, toolSpecs } from "@/lib/features/assistant/tools";

type Asking = Omit<AssistantInput, "mostActions"> & {
  /** Called before each answer of the provider; throws when this turn has lost its place. */
  onRound: () => Promise<void>;
  /** Called when tools have made something, before the provider is asked again. */
  onMade: (turn: TurnWithUsage) => Promise<unknown>;
  /** Ends the turn; a time-out signal as AI_TIMEOUT. */
  signal: AbortSignal;
};

/** What a turn came to: the provider's words, what was done, and what it asked for that is no action of ours. */
type Turn = { text: string; actions: ChatAction[]; refused: Refusal[] };

export type TurnWithUsage = Turn & { tokensIn: number; tokensOut: number };

/**
 * One turn: the provider answers, its tools are run for this person, and it answers again, until it only speaks. What
 * it asks for decides nothing: every call is held to its schema and to the person's own data. A failure after something
 * was made is told in the turn's text, so that what was done is not lost from sight; before that it throws.
 */
export async function takeTurn(actor: Actor, provider: AiProvider, asking: Asking): Promise<TurnWithUsage> {
  const { onRound, onMade, signal, ...input } = asking;
  const prompt = assistantPrompt({ ...input, mostActions: MOST_ACTIONS });
  const messages: ToolTurn[] = [...prompt.messages];
  const turn: TurnWithUsage = { text: "", actions: [], refused: [], tokensIn: 0, tokensOut: 0 };
  const scope: Scope = { projectId: input.project?.id ?? null, topicId: onlyTopic(input.project) };
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await onRound();
      const answer = await provider.converse({ messages, tools: toolSpecs(), limits: prompt.limits, signal });
      turn.tokensIn += answer.tokensIn;
      turn.tokensOut += answer.tokensOut;
      turn.text = answer.text;
      if (answer.toolCalls.length === 0) return turn;
      const toolCalls = answer.toolCalls.slice(0, MOST_CALLS);
      const leftOut = answer.toolCalls.length - toolCalls.length;
      if (leftOut > 0) noteRefusal(turn, { label: `${leftOut} more`, error: TOO_MANY });
      messages.push({ role: "assistant", content: answer.text, toolCalls });
      const before = countMade(turn);
      for (const call of toolCalls) {
        const { told, action, refused } = await runTool(actor, call, scope, countMade(turn));
        const content = fenced(LABELS.toolResult, told);
        const isLast = call === toolCalls.at(-1);
        const note = isLast && leftOut > 0 ? `\n${leftOut} more calls were left out. ${TOO_MANY}` : "";
        messages.push({ role: "tool", callId: call.id, content: `${content}${note}` });
        if (action) noteAction(turn, action);
        if (refused) noteRefusal(turn, refused);
      }
      if (countMade(turn) > before) await onMade(turn);
    }
    return turn;
  } catch (error) {
    if (!isAppError(error) || countMade(turn) === 0) throw error;
    return { ...turn, text: `${doneSoFar(turn.actions)} Then this happened: ${error.message}` };
  }
}

/** Calls of one answer that are looked at; more is a provider gone wild. */
const MOST_CALLS = 30;
const TOO_MANY = "That was more than can be looked at in one answer.";

function countMade({ actions }: Turn): number {
  return actions.filter(({ ok }) => ok).length;
}

/** The one topic of a project needs no naming. */
function onlyTopic(project: AssistantInput["project"]): number | null {
  return project?.topics.length === 1 ? (project.topics[0]?.id ?? null) : null;
}

/** The same failure many times over is told once; what worked in the end has not failed. */
function noteAction(turn: Turn, action: ChatAction): void {
  const failures = turn.actions.filter(({ ok, type, label }) => !ok && type === action.type && label === action.label);
  if (action.ok) turn.actions = [...turn.actions.filter((one) => !failures.includes(one)), action];
  else if (!failures.some(({ error }) => error === action.error)) turn.actions.push(action);
}

function noteRefusal(turn: Turn, refusal: Refusal): void {
  if (!turn.refused.some(({ label }) => label === refusal.label)) turn.refused.push(refusal);
}

/** The `response` of the API and what the conversation keeps of it. */
type Reply = { response: string; content: string; actionType: ActionType | null };

/** Words alone are sent as they are; with something made they are the documented JSON. What failed is always told. */
export function replyOf({ text, actions, refused }: Turn): Reply {
  const made = actions.filter(({ ok }) => ok);
  const words = text || (made.length > 0 ? doneSoFar(actions) : SILENCE);
  const failed = actions.flatMap(({ ok, label, error = "" }) => (ok ? [] : [{ label, error }]));
  const lines = notDone([...failed, ...refused]);
  const message = lines.length > 0 ? `${words}\n\nNot done:\n${lines.map((line) => `- ${line}`).join("\n")}` : words;
  const highest = ACTION_TYPES.find((type) => made.some((action) => action.type === type));
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
