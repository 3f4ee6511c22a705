import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { bytesOf, roomFor } from "@/lib/limits/usage";

/** Longer than the provider's time-out; renewed at each of its answers. */
const LEASE = "2 minutes";

/** Takes the one place to answer in a session; false while another message is being answered. */
export async function holdReply(userId: string, sessionId: string, token: string): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE chat_sessions SET reply_token = ${token}::uuid, reply_lease_until = now() + ${LEASE}::interval,
      reply_boot_id = ${env.BOOT_ID ?? null}::uuid, updated_at = now()
    WHERE id = ${sessionId}::uuid AND user_id = ${userId}::uuid
      AND (reply_token IS NULL OR reply_lease_until <= now()) RETURNING id`);
  return rows.length > 0;
}

/** Keeps the place for longer; false once another message has taken it, even when that one is answered by now. */
export async function renewReply(sessionId: string, token: string): Promise<boolean> {
  const renewed = await prisma.$executeRaw(Prisma.sql`
    UPDATE chat_sessions SET reply_lease_until = now() + ${LEASE}::interval
    WHERE id = ${sessionId}::uuid AND reply_token = ${token}::uuid`);
  return renewed > 0;
}

export async function releaseReply(sessionId: string, token: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE chat_sessions SET reply_token = NULL, reply_lease_until = NULL
    WHERE id = ${sessionId}::uuid AND reply_token = ${token}::uuid`);
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
 * The answer beside its message, in one statement and only under the token; false when another has taken over. Called
 * again it is written anew: what was made is kept as it is made.
 */
export async function keepAnswer(
  sessionId: string,
  messageId: string,
  token: string,
  { content, actionType, tokensIn, tokensOut }: KeptAnswer,
): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH session AS (
      SELECT id FROM chat_sessions WHERE id = ${sessionId}::uuid AND reply_token = ${token}::uuid FOR UPDATE),
    answered AS (
      UPDATE chat_messages m SET type = 'chat' FROM session s WHERE m.id = ${messageId}::uuid AND m.session_id = s.id
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
