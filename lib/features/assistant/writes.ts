import "server-only";
import { randomUUID } from "node:crypto";
import { createAiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { transaction } from "@/lib/db/transaction";
import { AppError, CALL_MESSAGES, isAppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/reads";
import { holdAccount } from "@/lib/features/account/writes/account";
import { historyOf, ownedSession, workspaceOf } from "@/lib/features/assistant/reads";
import { doneSoFar, replyOf, type TurnWithUsage, takeTurn } from "@/lib/features/assistant/reply";
import { GREETING, TURN_BUDGET_MS } from "@/lib/features/assistant/rules";
import type { ChatMessageInput, StartChatInput } from "@/lib/features/assistant/schema";
import { holdReply, keepAnswer, keepMessage, lockEmptySession, replyLease } from "@/lib/features/assistant/sql";
import { ownedProject } from "@/lib/features/projects/reads";
import { release, renew } from "@/lib/lease/lease";
import { withinRoom } from "@/lib/limits/usage";
import { againAfterDeadlock } from "@/lib/utils/database";
import { intId } from "@/lib/utils/zod";

/** Messages of the conversation that the provider gets to see. */
const HISTORY = 20;

/** Opens a conversation, with or without a project. The provider is not called; a session without a message is used again. */
export async function startChat(actor: Actor, { projectId }: StartChatInput) {
  const { userId } = actor;
  const project = projectId === undefined || projectId === null ? null : await projectNamed(actor, projectId);
  await openaiKeyOf(actor, CALL_MESSAGES.assistantNeedsKey);
  const id = await transaction(async (db) => {
    // Two tabs that start at once share one conversation.
    await holdAccount(db, actor);
    const empty = await lockEmptySession(db, userId, project);
    if (!empty) return (await db.chatSession.create({ data: { userId, projectId: project }, select: { id: true } })).id;
    // Written again it is the person's latest one: a message that names no session goes there.
    await db.chatSession.update({ where: { id: empty }, data: { updatedAt: new Date() }, select: { id: true } });
    return empty;
  });
  return { response: GREETING, type: "chat", sessionId: id };
}

/** A number that no id can be is as good as missing. */
async function projectNamed(actor: Actor, id: number): Promise<number> {
  return (await ownedProject(actor, intId.safeParse(id).data ?? 0)).id;
}

/**
 * Answers a message and does what it asks for; see `takeTurn`. A message that fails stays in the conversation, marked, and
 * can be sent again; one that made something stays with what it made, also when the process ends in the middle. Throws
 * CHAT_NOT_STARTED, NOT_FOUND, MISSING_API_KEY, ALREADY_RUNNING and the provider's failures.
 */
export async function sendMessage(actor: Actor, { message, sessionId }: ChatMessageInput) {
  const session = await ownedSession(actor, sessionId);
  const apiKey = await openaiKeyOf(actor, CALL_MESSAGES.assistantNeedsKey);
  const token = randomUUID();
  const lease = replyLease(session.id, token);
  if (!(await holdReply(actor.userId, session.id, token))) throw new AppError("ALREADY_RUNNING", { message: BUSY });
  try {
    const history = await historyOf(session.id, HISTORY);
    const messageId = await withinRoom(() => againAfterDeadlock(() => keepMessage(actor.userId, session.id, message)));
    const project = await projectNow(actor, session.projectId);
    const keep = async (turn: TurnWithUsage) => {
      const { response, content, actionType } = replyOf(turn);
      const { tokensIn, tokensOut } = turn;
      await keepAnswer(lease, messageId, { content, actionType, tokensIn, tokensOut });
      return { response };
    };
    const turn = await takeTurn(actor, createAiProvider({ apiKey }), {
      project,
      history,
      message,
      signal: AbortSignal.timeout(TURN_BUDGET_MS),
      async onRound() {
        if (!(await renew(lease))) throw new AppError("ALREADY_RUNNING", { message: OVERTAKEN });
      },
      // Overwritten by the answer; it stays where none comes any more, and the provider reads it when asked again.
      onMade: (soFar) => keep({ ...soFar, text: `${doneSoFar(soFar.actions)} ${BROKEN_OFF}` }),
    });
    return await keep(turn);
  } finally {
    await release(lease);
  }
}

const BUSY = "The assistant is still answering your last message. Wait for it, then send this one again.";
const OVERTAKEN = "This took too long, and another message was answered meanwhile.";
const BROKEN_OFF = "The answer broke off here.";

/** A project that was deleted meanwhile leaves the conversation without one. */
async function projectNow(actor: Actor, projectId: number | null) {
  if (projectId === null) return null;
  return workspaceOf(actor, projectId).catch((error: unknown) => {
    if (isAppError(error, "NOT_FOUND")) return null;
    throw error;
  });
}
