import "server-only";
import { RefusedByProvider } from "@/lib/ai/failures";
import { type AssistantInput, assistantPrompt } from "@/lib/ai/prompts/assistant";
import type { ToolTurn } from "@/lib/ai/prompts/prompt";
import { fenced, LABELS } from "@/lib/ai/prompts/shared";
import type { AiProvider } from "@/lib/ai/provider";
import { addTokens, NO_TOKENS, type TokenCounts, tokensOf } from "@/lib/ai/tokens";
import { refusesTools, rememberToolRefusal } from "@/lib/ai/tool-refusals";
import type { Actor } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { ACTION_TYPES, MAX_ACTIONS, MAX_ROUNDS, type Refusal } from "@/lib/features/assistant/rules";
import type { ActionType, ChatAction, ChatResponse } from "@/lib/features/assistant/schema";
import { BROKEN_ARGUMENTS, runTool, type Scope, toolSpecs } from "@/lib/features/assistant/tools";
import { whileAway } from "@/lib/limits/place";

type TurnInput = Omit<AssistantInput, "maxActions"> & {
  /** Called before each provider call; throws when the lease is lost. */
  onRound: () => Promise<void>;
  /** Called after tools made something, before the next provider call. */
  onMade: (turn: TurnWithUsage) => Promise<unknown>;
  /** Aborts the turn; a time-out becomes AI_TIMEOUT. */
  signal: AbortSignal;
};

/** The provider's words, the actions taken, and the calls refused. */
type Turn = { text: string; actions: ChatAction[]; refused: Refusal[] };

export type TurnWithUsage = Turn & { tokens: TokenCounts };

/**
 * Answers a message with tools, or in words alone where the model cannot use tools, and says so. Throws the provider's
 * failures before anything was made.
 */
export async function runTurn(actor: Actor, provider: AiProvider, input: TurnInput): Promise<TurnWithUsage> {
  if (refusesTools(actor.userId)) return answerInWords(provider, input);
  try {
    return await runToolTurn(actor, provider, input);
  } catch (error) {
    if (!(error instanceof RefusedByProvider && error.outcome === "no-tools")) throw error;
    rememberToolRefusal(actor.userId);
    return answerInWords(provider, input);
  }
}

async function answerInWords(provider: AiProvider, turnInput: TurnInput): Promise<TurnWithUsage> {
  const { onRound, onMade: _, signal, ...input } = turnInput;
  const { messages, limits } = assistantPrompt({ ...input, maxActions: 0 });
  await onRound();
  const { text, ...tokens } = await whileAway(() => provider.converse({ messages, tools: [], limits, signal }));
  return { text: `${CANNOT_ACT}\n\n${text}`, actions: [], refused: [], tokens };
}

const CANNOT_ACT =
  "This model can answer, but it cannot make changes here. You can make them in the app yourself, or ask the site's operator for a model that can.";

/**
 * Calls the provider and runs its tools until it answers in words only. Every tool call is checked against its schema and the
 * user's own data. After something was made a failure becomes part of the text; before that it throws.
 */
async function runToolTurn(actor: Actor, provider: AiProvider, turnInput: TurnInput): Promise<TurnWithUsage> {
  const { onRound, onMade, signal, ...input } = turnInput;
  const prompt = assistantPrompt({ ...input, maxActions: MAX_ACTIONS });
  const messages: ToolTurn[] = [...prompt.messages];
  const turn: TurnWithUsage = { text: "", actions: [], refused: [], tokens: NO_TOKENS };
  const scope: Scope = { projectId: input.project?.id ?? null, topicId: onlyTopic(input.project) };
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await onRound();
      // After something was made, silence is an answer too: the reply says what was made.
      const request = { messages, tools: toolSpecs(), limits: prompt.limits, signal, allowEmpty: countMade(turn) > 0 };
      const answer = await whileAway(() => provider.converse(request));
      turn.tokens = addTokens(turn.tokens, answer);
      turn.text = answer.text;
      if (answer.toolCalls.length === 0) return turn;
      const toolCalls = answer.toolCalls.slice(0, MAX_TOOL_CALLS);
      const leftOut = answer.toolCalls.length - toolCalls.length;
      if (leftOut > 0) addRefusal(turn, { label: `${leftOut} more`, error: TOO_MANY });
      // The provider's own message goes back with all of its calls answered, or not at all.
      const message = leftOut === 0 ? answer.message : undefined;
      messages.push({ role: "assistant", content: answer.text, toolCalls, ...(message && { message }) });
      const before = countMade(turn);
      for (const call of toolCalls) {
        const { result, action, refused } = await runTool(actor, call, scope, countMade(turn));
        const content = fenced(LABELS.toolResult, result);
        const isLast = call === toolCalls.at(-1);
        const note = isLast && leftOut > 0 ? `\n${leftOut} more calls were left out. ${TOO_MANY}` : "";
        messages.push({ role: "tool", callId: call.id, content: `${content}${note}` });
        if (action) addAction(turn, action);
        if (refused) addRefusal(turn, refused);
      }
      if (countMade(turn) > before) await onMade(turn);
    }
    return turn;
  } catch (error) {
    if (!isAppError(error) || countMade(turn) === 0) throw error;
    const tokens = addTokens(turn.tokens, tokensOf(error));
    return { ...turn, tokens, text: `${summarizeDone(turn.actions)} Then something went wrong: ${error.message}` };
  }
}

/** Tool calls carried out per answer. */
const MAX_TOOL_CALLS = 30;
const TOO_MANY = "That was too much for one answer.";

function countMade({ actions }: Turn): number {
  return actions.filter(({ ok }) => ok).length;
}

/** A project's only topic is the default topic. */
function onlyTopic(project: AssistantInput["project"]): number | null {
  return project?.topics.length === 1 ? (project.topics[0]?.id ?? null) : null;
}

/** Reports a repeated failure once, and not at all if it succeeded in the end. Broken arguments do not even name it. */
function addAction(turn: Turn, action: ChatAction): void {
  const failures = turn.actions.filter(
    ({ ok, type, label, error }) =>
      !ok && type === action.type && (label === action.label || error === BROKEN_ARGUMENTS),
  );
  if (action.ok) turn.actions = [...turn.actions.filter((one) => !failures.includes(one)), action];
  else if (!failures.some(({ error }) => error === action.error)) turn.actions.push(action);
}

function addRefusal(turn: Turn, refusal: Refusal): void {
  if (!turn.refused.some(({ label }) => label === refusal.label)) turn.refused.push(refusal);
}

/** The API's `response`, and what the conversation stores. */
type Reply = { response: string; content: string; actionType: ActionType | null };

/** Plain text, or the specified JSON when something was made. Failures are always listed. */
export function formatReply({ text, actions, refused }: Turn): Reply {
  const made = actions.filter(({ ok }) => ok);
  const words = text || (made.length > 0 ? summarizeDone(actions) : NOTHING_SAID);
  const failed = actions.flatMap(({ ok, label, error = "" }) => (ok ? [] : [{ label, error }]));
  const lines = notDone([...failed, ...refused]);
  const message = lines.length > 0 ? `${words}\n\nNot done:\n${lines.map((line) => `- ${line}`).join("\n")}` : words;
  const highest = ACTION_TYPES.find((type) => made.some((action) => action.type === type));
  if (highest) {
    const response: ChatResponse = { type: "action", actionType: highest, message, actions };
    return { response: JSON.stringify(response), content: message, actionType: highest };
  }
  // Text that happens to be JSON is wrapped, so that it is not taken for ours.
  const response: ChatResponse = { type: "chat", message };
  return { response: isJson(message) ? JSON.stringify(response) : message, content: message, actionType: null };
}

export function summarizeDone(actions: ChatAction[]): string {
  const made = actions.filter(({ ok }) => ok);
  return `Done: ${made.map(({ label }) => label).join(", ")}.`;
}

const NOTHING_SAID = "I did not find anything to do there. Tell me what you would like to plan.";

/** One line per reason, naming what was not done. */
function notDone(refusals: Refusal[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { label, error } of refusals) byReason.set(error, [...(byReason.get(error) ?? []), label]);
  return [...byReason].map(([error, labels]) => {
    const rest = labels.length - MAX_NAMED;
    return `${labels.slice(0, MAX_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}: ${error}`;
  });
}

const MAX_NAMED = 20;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
