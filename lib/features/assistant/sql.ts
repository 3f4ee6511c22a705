import "server-only";
import type { TokenCounts } from "@/lib/ai/tokens";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { retryOnDeadlock } from "@/lib/db/retry";
import { acquireSql, fenceSql, type Lease, leasedSql } from "@/lib/lease/lease";

/** One message of a conversation is answered at a time. */
export const replyLease = (sessionId: string, token: string): Lease => ({ kind: "reply", subject: sessionId, token });

/** Locks the user's latest conversation of this project (or of none) that is empty and not being answered. */
export async function lockEmptySession(db: Pick<Db, "$queryRaw">, userId: string, projectId: number | null) {
  const [session] = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM chat_sessions s
    WHERE user_id = ${userId}::uuid AND project_id IS NOT DISTINCT FROM ${projectId}::int AND NOT ${leasedSql("reply", Prisma.sql`s.id::text`)}
      AND NOT EXISTS (SELECT 1 FROM chat_messages m WHERE m.session_id = s.id)
    ORDER BY updated_at DESC, id DESC LIMIT 1 FOR UPDATE`);
  if (!session) return undefined;
  // This is a second statement: the snapshot of the one that waited for the lock is older.
  const said = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT id FROM chat_messages WHERE session_id = ${session.id}::uuid LIMIT 1`);
  return said.length === 0 ? session.id : undefined;
}

/** Returns false while another message is being answered, or when the conversation is not the user's. */
export async function acquireReply(userId: string, sessionId: string, token: string): Promise<boolean> {
  const owned = Prisma.sql`
    SELECT id::text, user_id, NULL::uuid, id FROM chat_sessions
    WHERE id = ${sessionId}::uuid AND user_id = ${userId}::uuid FOR KEY SHARE`;
  const rows = await retryOnDeadlock(() =>
    prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
      WITH held AS (${acquireSql("reply", owned, token)})
      UPDATE chat_sessions SET updated_at = now() FROM held WHERE id = held.subject::uuid RETURNING id`),
  );
  return rows.length > 0;
}

/** Saves the user's message, marked as failed until it is answered, and returns its id. Resending a failed one reuses it. */
export async function saveMessage(db: Pick<Db, "$queryRaw">, sessionId: string, content: string): Promise<string> {
  const [row] = await db.$queryRaw<[{ id: string }]>(Prisma.sql`
    WITH last AS (
      SELECT id, position, role, type, content FROM chat_messages
      WHERE session_id = ${sessionId}::uuid ORDER BY position DESC LIMIT 1),
    again AS (SELECT id FROM last WHERE role = 'user' AND type = 'error' AND content = ${content}),
    added AS (
      INSERT INTO chat_messages (session_id, position, role, type, content)
      SELECT ${sessionId}::uuid, coalesce((SELECT position FROM last), 0) + 1, 'user', 'error', ${content}
      WHERE NOT EXISTS (SELECT 1 FROM again) RETURNING id)
    SELECT id FROM again UNION ALL SELECT id FROM added`);
  return row.id;
}

export type Answer = TokenCounts & { content: string; actionType: string | null };

/** Saves the answer behind the lease, replacing an earlier one to the same message; false when the lease is lost. */
export async function saveAnswer(
  db: Pick<Db, "$queryRaw">,
  lease: Lease,
  messageId: string,
  { content, actionType, tokensIn, tokensOut, tokensCached, tokensReasoning }: Answer,
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH held AS (${fenceSql(lease)}),
    answered AS (
      UPDATE chat_messages m SET type = 'chat' FROM held WHERE m.id = ${messageId}::uuid AND m.session_id = held.subject::uuid
      RETURNING m.session_id, m.position)
    INSERT INTO chat_messages (session_id, position, role, type, action_type, content, tokens_in, tokens_out, tokens_cached, tokens_reasoning)
    SELECT session_id, position + 1, 'assistant',
      (CASE WHEN ${actionType}::text IS NULL THEN 'chat' ELSE 'action' END)::chat_message_type, ${actionType}::chat_action_type,
      ${content}, ${tokensIn}::int, ${tokensOut}::int, ${tokensCached}::int, ${tokensReasoning}::int
    FROM answered
    ON CONFLICT (session_id, position) DO UPDATE SET type = excluded.type, action_type = excluded.action_type,
      content = excluded.content, tokens_in = excluded.tokens_in, tokens_out = excluded.tokens_out,
      tokens_cached = excluded.tokens_cached, tokens_reasoning = excluded.tokens_reasoning
    WHERE chat_messages.role = 'assistant' RETURNING id`);
  return rows.length > 0;
}
