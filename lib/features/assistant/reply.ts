import "server-only";
import { type AssistantInput, assistantPrompt } from "@/lib/ai/prompts/assistant";
import type { ToolTurn } from "@/lib/ai/prompts/prompt";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { MOST_ACTIONS, MOST_ROUNDS, type Turn } from "@/lib/features/assistant/rules";
import type { ChatAction } from "@/lib/features/assistant/schema";
import { runTool, type Scope, toolSpecs } from "@/lib/features/assistant/tools";

type Asking = Omit<AssistantInput, "mostActions"> & {
  /** Called before each answer of the provider; throws when this turn has lost its place. */
  onRound: () => Promise<void>;
};

export type TurnWithUsage = Turn & { tokensIn: number; tokensOut: number };

/**
 * One turn: the provider answers, its tools are run for this person, and it answers again, until it only speaks. What
 * it asks for decides nothing: every call is held to its schema and to the person's own data. A failure after something
 * was made is told in the turn's text, so that what was done is not lost from sight; before that it throws.
 */
export async function takeTurn(actor: Actor, provider: AiProvider, asking: Asking): Promise<TurnWithUsage> {
  const { onRound, ...input } = asking;
  const prompt = assistantPrompt({ ...input, mostActions: MOST_ACTIONS });
  const messages: ToolTurn[] = [...prompt.messages];
  const turn: TurnWithUsage = { text: "", actions: [], tokensIn: 0, tokensOut: 0 };
  const scope: Scope = { projectId: input.project?.id ?? null, topicId: onlyTopic(input.project) };
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await onRound();
      const answer = await provider.converse({ messages, tools: toolSpecs(), limits: prompt.limits });
      turn.tokensIn += answer.tokensIn;
      turn.tokensOut += answer.tokensOut;
      turn.text = answer.text;
      if (answer.toolCalls.length === 0) return turn;
      const toolCalls = answer.toolCalls.slice(0, MOST_CALLS);
      messages.push({ role: "assistant", content: answer.text, toolCalls });
      for (const call of toolCalls) {
        const { told, action } = await runTool(actor, call, scope, turn.actions.filter(({ ok }) => ok).length);
        messages.push({ role: "tool", callId: call.id, content: told });
        if (action) note(turn.actions, action);
      }
    }
    return turn;
  } catch (error) {
    if (!isAppError(error) || !turn.actions.some(({ ok }) => ok)) throw error;
    return { ...turn, text: `${doneSoFar(turn.actions)} Then this happened: ${error.message}` };
  }
}

/** Calls of one answer that are looked at; more is a provider gone wild. */
const MOST_CALLS = 30;

/** The one topic of a project needs no naming. */
function onlyTopic(project: AssistantInput["project"]): number | null {
  return project?.topics.length === 1 ? (project.topics[0]?.id ?? null) : null;
}

/** The same refusal many times over is told once. */
function note(actions: ChatAction[], action: ChatAction): void {
  const isKnown = actions.some(
    ({ ok, label, error }) => !ok && !action.ok && label === action.label && error === action.error,
  );
  if (!isKnown) actions.push(action);
}

function doneSoFar(actions: ChatAction[]): string {
  return `Done: ${actions
    .filter(({ ok }) => ok)
    .map(({ label }) => label)
    .join(", ")}.`;
}
