import "server-only";
import { randomUUID } from "node:crypto";
import { createAiProvider } from "@/lib/ai/provider";
import { aiTimes } from "@/lib/ai/times";
import type { Actor } from "@/lib/auth/actor";
import { transaction } from "@/lib/db/transaction";
import { AppError, CALL_MESSAGES, isAppError } from "@/lib/errors";
import { openaiKeyOf } from "@/lib/features/account/settings/reads";
import { lockOwnAccount } from "@/lib/features/account/writes";
import { historyOf, ownedSession, workspaceOf } from "@/lib/features/assistant/reads";
import { formatReply, runTurn, summarizeDone, type TurnWithUsage } from "@/lib/features/assistant/reply";
import { GREETING } from "@/lib/features/assistant/rules";
import type { ChatMessageInput, StartChatInput } from "@/lib/features/assistant/schema";
import { acquireReply, lockEmptySession, replyLease, saveAnswer, saveMessage } from "@/lib/features/assistant/sql";
import { ownedProject } from "@/lib/features/projects/reads";
import { release, renew, whileRenewing } from "@/lib/lease/lease";
import { rowBytes, storeAnyway, storing } from "@/lib/limits/storage-quota";
import { intId } from "@/lib/utils/zod";

const MAX_HISTORY = 20;

/** Starts a conversation, with or without a project, without calling the provider. Reuses a session without messages. */
export async function startChat(actor: Actor, { projectId }: StartChatInput) {
  const { userId } = actor;
  const project = projectId === undefined || projectId === null ? null : await ownedProjectId(actor, projectId);
  await openaiKeyOf(actor, CALL_MESSAGES.assistantNeedsKey);
  const id = await transaction(async (db) => {
    // Serialises two tabs that start at once, so that they share one conversation.
    await lockOwnAccount(db, actor);
    const empty = await lockEmptySession(db, userId, project);
    if (!empty) {
      const made = await db.chatSession.create({ data: { userId, projectId: project }, select: { id: true } });
      await storeAnyway(db, userId, rowBytes());
      return made.id;
    }
    // Makes it the latest one, where messages without a session id go.
    await db.chatSession.update({ where: { id: empty }, data: { updatedAt: new Date() }, select: { id: true } });
    return empty;
  });
  return { response: GREETING, type: "chat", sessionId: id };
}

/** Numbers beyond the range of ids are NOT_FOUND too. */
async function ownedProjectId(actor: Actor, id: number): Promise<number> {
  return (await ownedProject(actor, intId.safeParse(id).data ?? 0)).id;
}

/**
 * Answers a message with tools (see `runTurn`). A failed message stays in the conversation, marked, and can be sent again.
 * What tools have made is saved at once, so that it survives a crash. Throws CHAT_NOT_STARTED, NOT_FOUND, MISSING_API_KEY,
 * ALREADY_RUNNING and the provider's failures.
 */
export async function sendMessage(actor: Actor, { message, sessionId }: ChatMessageInput) {
  const session = await ownedSession(actor, sessionId);
  const apiKey = await openaiKeyOf(actor, CALL_MESSAGES.assistantNeedsKey);
  const token = randomUUID();
  const lease = replyLease(session.id, token);
  if (!(await acquireReply(actor.userId, session.id, token))) throw new AppError("ALREADY_RUNNING", { message: BUSY });
  try {
    const history = await historyOf(session.id, MAX_HISTORY);
    const messageId = await storing(actor.userId, rowBytes(message), (db) => saveMessage(db, session.id, message));
    const project = await currentProject(actor, session.projectId);
    const save = async (turn: TurnWithUsage) => {
      const { response, content, actionType } = formatReply(turn);
      await transaction(async (db) => {
        const isSaved = await saveAnswer(db, lease, messageId, { ...turn.tokens, content, actionType });
        if (isSaved) await storeAnyway(db, actor.userId, rowBytes(content));
      });
      return { response };
    };
    const turn = await whileRenewing(
      () => renew(lease),
      () =>
        runTurn(actor, createAiProvider({ apiKey }), {
          project,
          history,
          message,
          signal: AbortSignal.timeout(aiTimes().callMs),
          async onRound() {
            if (!(await renew(lease))) throw new AppError("ALREADY_RUNNING", { message: OVERTAKEN });
          },
          // The final answer overwrites this. If none comes, the next prompt has it.
          onMade: (soFar) => save({ ...soFar, text: `${summarizeDone(soFar.actions)} ${BROKEN_OFF}` }),
        }),
    );
    return await save(turn);
  } finally {
    await release(lease);
  }
}

const BUSY = "The assistant is still answering your last message. Wait for it, then send this one again.";
const OVERTAKEN = "This took too long, and another message was answered meanwhile.";
const BROKEN_OFF = "The answer broke off here.";

/** Returns null once the conversation's project is deleted. */
async function currentProject(actor: Actor, projectId: number | null) {
  if (projectId === null) return null;
  return workspaceOf(actor, projectId).catch((error: unknown) => {
    if (isAppError(error, "NOT_FOUND")) return null;
    throw error;
  });
}
