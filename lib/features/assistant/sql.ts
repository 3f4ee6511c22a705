import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { acquireStatement, fenceStatement, type Lease } from "@/lib/lease/lease";
import { bytesOf, roomFor } from "@/lib/limits/usage";
import { againAfterDeadlock } from "@/lib/utils/database";

/** The place to answer in a conversation: one message at a time. */
export const replyLease = (sessionId: string, token: string): Lease => ({ kind: "reply", subject: sessionId, token });

/** Holds the person's latest conversation of this project, or of none, that is empty and not being answered. */
export async function lockEmptySession(db: Pick<Db, "$queryRaw">, userId: string, projectId: number | null) {
  const [held] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM chat_sessions s
    WHERE user_id = ${userId}::uuid AND project_id IS NOT DISTINCT FROM ${projectId}::int AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.kind = 'reply' AND l.subject = s.id::text)
      AND NOT EXISTS (SELECT 1 FROM chat_messages m WHERE m.session_id = s.id)
    ORDER BY updated_at DESC, id DESC LIMIT 1 FOR UPDATE`);
  if (!held) return undefined;
  // A statement that waited for the row does not see what was said meanwhile; this one does.
  const said = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM chat_messages WHERE session_id = ${held.id}::uuid LIMIT 1`);
  return said.length === 0 ? held.id : undefined;
}

/** Takes that place; false while another message is being answered, or when the conversation is not this person's. */
export async function holdReply(userId: string, sessionId: string, token: string): Promise<boolean> {
  const owned = Prisma.sql`
    SELECT id::text, user_id, NULL::uuid, id FROM chat_sessions
    WHERE id = ${sessionId}::uuid AND user_id = ${userId}::uuid FOR KEY SHARE`;
  const rows = await againAfterDeadlock(() =>
    prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
      WITH held AS (${acquireStatement("reply", owned, token)})
      UPDATE chat_sessions SET updated_at = now() FROM held WHERE id = held.subject::uuid RETURNING id`),
  );
  return rows.length > 0;
}

/**
 * Keeps the person's message, marked as failed until it is answered. The same words sent again after a failure are the
 * same message. Answers its id.
 */
export async function keepMessage(userId: string, sessionId: string, content: string): Promise<string> {
  const [row] = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH last AS (
      SELECT id, position, role, type, content FROM chat_messages
      WHERE session_id = ${sessionId}::uuid ORDER BY position DESC LIMIT 1),
    again AS (SELECT id FROM last WHERE role = 'user' AND type = 'error' AND content = ${content}),
    added AS (
      INSERT INTO chat_messages (session_id, position, role, type, content)
      SELECT ${sessionId}::uuid, coalesce((SELECT position FROM last), 0) + 1, 'user', 'error', ${content}
      FROM (SELECT ${roomFor(userId, bytesOf(content))}) room
      WHERE NOT EXISTS (SELECT 1 FROM again) RETURNING id)
    SELECT id FROM again UNION ALL SELECT id FROM added`);
  return row?.id ?? "";
}

export type KeptAnswer = { content: string; actionType: string | null; tokensIn: number; tokensOut: number };

/**
 * The answer beside its message, in one statement and only under the lease; false when another has taken over. Called
 * again it replaces what it kept before: what was made is kept as it is made.
 */
export async function keepAnswer(
  lease: Lease,
  messageId: string,
  { content, actionType, tokensIn, tokensOut }: KeptAnswer,
): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH held AS (${fenceStatement(lease)}),
    answered AS (
      UPDATE chat_messages m SET type = 'chat' FROM held WHERE m.id = ${messageId}::uuid AND m.session_id = held.subject::uuid
      RETURNING m.session_id, m.position)
    INSERT INTO chat_messages (session_id, position, role, type, action_type, content, tokens_in, tokens_out)
    SELECT session_id, position + 1, 'assistant',
      (CASE WHEN ${actionType}::text IS NULL THEN 'chat' ELSE 'action' END)::chat_message_type, ${actionType}::chat_action_type,
      ${content}, ${tokensIn}::int, ${tokensOut}::int
    FROM answered
    ON CONFLICT (session_id, position) DO UPDATE SET type = excluded.type, action_type = excluded.action_type,
      content = excluded.content, tokens_in = excluded.tokens_in, tokens_out = excluded.tokens_out
    WHERE chat_messages.role = 'assistant' RETURNING id`);
  return rows.length > 0;
}
