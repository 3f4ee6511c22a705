import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";

/**
 * The one lease: who may work on something for the time being. By the database's clock alone, and fenced by its token
 * (Kleppmann, "How to do distributed locking", 2016): what a holder writes goes through `fence` in the writing
 * transaction, so that one who was taken for dead and comes back writes nothing.
 *
 * A row stands while something is held, and after its holder died, or left something open, until one lets go of it.
 */
export const LEASE_SECONDS = {
  /** AI work on a piece, its outline or its text, asked for directly or by a queue; renewed at each section. */
  writing: 300,
  /** A publish, update, unpublish or sync of a piece. */
  publishing: 120,
  /** An answer of the assistant in a conversation; renewed at each of the provider's answers. */
  reply: 120,
  /** Asking for content ideas of a topic, which has a budget of 55 seconds. */
  ideas: 90,
  /** Asking for keywords of a topic: two asks of at most a minute. */
  keywords: 150,
  /** A paid call with an Idempotency-Key; renewed three times a minute while it is at work. */
  call: 60,
} as const;

export type LeaseKind = keyof typeof LEASE_SECONDS;

/** One held thing: `subject` is its id. */
export type Lease = { kind: LeaseKind; subject: string; token: string };

type Raw = Pick<Db, "$queryRaw" | "$executeRaw">;

const ends = (kind: LeaseKind) => Prisma.sql`now() + make_interval(secs => ${LEASE_SECONDS[kind]}::int)`;

/**
 * Takes a lease that is free or has run out, or renews one's own: a statement, also for use as a CTE. `owned` selects what
 * is to be held as (subject text, user_id uuid, content_piece_id uuid, chat_session_id uuid), the last two null where the
 * lease is not to go with such a row; the owner stands in its WHERE. Answers (subject, abandoned): an earlier holder never
 * let go.
 */
export function acquireStatement(kind: LeaseKind, owned: Prisma.Sql, token: string | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO leases AS l (kind, subject, user_id, content_piece_id, chat_session_id, token, until, boot_id)
    SELECT ${kind}, o.subject, o.user_id, o.content_piece_id, o.chat_session_id, ${token}::uuid, ${ends(kind)}, ${env.BOOT_ID}::uuid
    FROM (${owned}) AS o (subject, user_id, content_piece_id, chat_session_id)
    ON CONFLICT (kind, subject) DO UPDATE SET token = excluded.token, until = excluded.until, boot_id = excluded.boot_id,
      is_taken_over = l.is_taken_over OR l.token <> excluded.token
    WHERE l.until <= now() OR l.token = excluded.token
    RETURNING l.subject, l.is_taken_over AS abandoned`;
}

/** See acquireStatement. Undefined: somebody holds it now, or `owned` selects nothing. */
export async function acquire(
  kind: LeaseKind,
  owned: Prisma.Sql,
  token: string,
): Promise<{ abandoned: boolean } | undefined> {
  const [row] = await prisma.$queryRaw<{ abandoned: boolean }[]>(acquireStatement(kind, owned, token));
  return row && { abandoned: row.abandoned };
}

/** Keeps it for longer; false once another holder has taken it, or it was let go. */
export async function renew({ kind, subject, token }: Lease): Promise<boolean> {
  const renewed = await prisma.$executeRaw(Prisma.sql`
    UPDATE leases SET until = ${ends(kind)} WHERE kind = ${kind} AND subject = ${subject} AND token = ${token}::uuid`);
  return renewed > 0;
}

/** The held row, locked: a CTE or a statement that answers a row only to its holder. */
export function fenceStatement({ kind, subject, token }: Lease): Prisma.Sql {
  return Prisma.sql`
    SELECT subject FROM leases WHERE kind = ${kind} AND subject = ${subject} AND token = ${token}::uuid FOR UPDATE`;
}

/** Is it still this holder's? Until the transaction ends nobody can take it, whatever the clock says. */
export async function fence(db: Pick<Raw, "$queryRaw">, lease: Lease): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>(fenceStatement(lease));
  return rows.length > 0;
}

/** Lets go, so that the next one need not wait for its end. Does nothing to another holder's. */
export async function release({ kind, subject, token }: Lease, db: Pick<Raw, "$executeRaw"> = prisma): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    DELETE FROM leases WHERE kind = ${kind} AND subject = ${subject} AND token = ${token}::uuid`);
}

/**
 * Ends its time and leaves the row, so that the next holder knows of something left open: to that one it is abandoned.
 * Does nothing to another holder's.
 */
export async function expire({ kind, subject, token }: Lease): Promise<void> {
  // The column keeps milliseconds and rounds: the moment itself may lie ahead of the next statement.
  await prisma.$executeRaw(Prisma.sql`
    UPDATE leases SET until = now() - interval '1 millisecond' WHERE kind = ${kind} AND subject = ${subject} AND token = ${token}::uuid`);
}

/** Does somebody hold it now? */
export async function isHeld(kind: LeaseKind, subject: string): Promise<boolean> {
  const [row] = await prisma.$queryRaw<[{ held: boolean }]>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM leases WHERE kind = ${kind} AND subject = ${subject} AND until > now()) AS held`);
  return row.held;
}

/** Forgets leases that ran out a day ago and go with no row; the others go with theirs. */
export async function pruneLeases(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM leases WHERE until < now() - interval '1 day' AND content_piece_id IS NULL AND chat_session_id IS NULL`);
}
