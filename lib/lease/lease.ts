import "server-only";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";

/**
 * Exclusive, expiring leases, timed by the database's clock and fenced by a token (Kleppmann, "How to do distributed
 * locking", 2016). A holder writes behind `fence`, in the same transaction, so a holder that has lost its lease writes nothing.
 */
export const LEASE_SECONDS = {
  /** AI work on a piece, direct or queued; renewed while a call is under way. */
  writing: 300,
  /** A user's wish that the direct call which holds `writing` under the same token ends, and keeps what there is. */
  stop: 120,
  /** A publish, update, unpublish or sync of a piece. */
  publishing: 120,
  /** A publishing job's slice; renewed while it works. */
  bulk: 120,
  /** The creation of a category on a site: two tries and the look-ups around them. */
  category: 120,
  /** A user's wish to see what a job's calls write, while they write it. All who watch a job hold it by the job's id. */
  watching: 30,
  /** One answer of the assistant; renewed while it is made. */
  reply: 120,
  /** Content ideas for a topic; renewed while they are made. */
  ideas: 90,
  /** Keywords for a topic; renewed while they are made. */
  keywords: 90,
  /** A paid call with an Idempotency-Key; renewed while it runs. */
  call: 90,
} as const;

export type LeaseKind = keyof typeof LEASE_SECONDS;

/** `subject` is the id of what is leased. */
export type Lease = { kind: LeaseKind; subject: string; token: string };

/** A lease whose subject is an SQL value, or an id. */
type LeaseSql = Omit<Lease, "subject"> & { subject: string | Prisma.Sql };

const isLease = ({ kind, subject, token }: LeaseSql) =>
  Prisma.sql`kind = ${kind} AND subject = ${subject} AND token = ${token}::uuid`;
const expiresAt = (kind: LeaseKind) => Prisma.sql`now() + make_interval(secs => ${LEASE_SECONDS[kind]}::int)`;

/**
 * SQL that takes a free or expired lease, or renews the holder's. `owned` selects (subject text, user_id uuid, content_piece_id
 * uuid, chat_session_id uuid) with the owner in its WHERE; the lease is deleted with the piece or session it names. Returns
 * (subject).
 */
export function acquireSql(kind: LeaseKind, owned: Prisma.Sql, token: string | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO leases AS l (kind, subject, user_id, content_piece_id, chat_session_id, token, until, boot_id)
    SELECT ${kind}, o.subject, o.user_id, o.content_piece_id, o.chat_session_id, ${token}::uuid, ${expiresAt(kind)}, ${env.BOOT_ID}::uuid
    FROM (${owned}) AS o (subject, user_id, content_piece_id, chat_session_id)
    ON CONFLICT (kind, subject) DO UPDATE SET token = excluded.token, until = excluded.until, boot_id = excluded.boot_id, draft = NULL
    WHERE l.until <= now() OR l.token = excluded.token
    RETURNING l.subject`;
}

/** SQL that releases the leases whose (subject, token) `held` selects. */
export function releaseSql(kind: LeaseKind, held: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    DELETE FROM leases l USING (${held}) AS h (subject, token)
    WHERE l.kind = ${kind} AND l.subject = h.subject AND l.token = h.token`;
}

/** SQL that locks a lease's row and returns its subject; no row unless this token holds it. */
export function fenceSql(lease: LeaseSql): Prisma.Sql {
  return Prisma.sql`SELECT subject FROM leases WHERE ${isLease(lease)} FOR UPDATE`;
}

/** SQL condition: this token holds an unexpired lease. */
export function heldBySql(kind: LeaseKind, subject: Prisma.Sql, token: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM leases l
    WHERE l.kind = ${kind} AND l.subject = ${subject} AND l.token = ${token} AND l.until > now())`;
}

/** SQL value: the token that holds it, or the last one. */
export function tokenSql(kind: LeaseKind, subject: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT h.token FROM leases h WHERE h.kind = ${kind} AND h.subject = ${subject})`;
}

/** SQL value: what its holder has written so far; null if nobody has watched. */
export function draftSql(kind: LeaseKind, subject: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT l.draft FROM leases l WHERE l.kind = ${kind} AND l.subject = ${subject})`;
}

/** Keeps with a lease what its holder has written so far. False: nobody watches the job, or another token holds the lease. */
export async function saveDraft(lease: Lease, draft: string, jobId: string): Promise<boolean> {
  const isWatched = heldBySql("watching", Prisma.sql`${jobId}`, Prisma.sql`${jobId}::uuid`);
  const saved = await prisma.$executeRaw(Prisma.sql`
    UPDATE leases SET draft = ${draft} WHERE ${isLease(lease)} AND ${isWatched}`);
  return saved > 0;
}

/** SQL condition: there is a lease on it, held or expired. */
export function leasedSql(kind: LeaseKind, subject: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM leases l WHERE l.kind = ${kind} AND l.subject = ${subject})`;
}

/** SQL value: whole seconds until the lease expires; 0 when it is free. */
export function secondsLeftSql(kind: LeaseKind, subject: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT greatest(0, ceil(extract(epoch FROM l.until - now())))::int FROM leases l
    WHERE l.kind = ${kind} AND l.subject = ${subject}), 0)`;
}

/** See acquireSql. False: another holder has it, or `owned` selects nothing. */
export async function acquire(kind: LeaseKind, owned: Prisma.Sql, token: string | Prisma.Sql): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>(acquireSql(kind, owned, token));
  return rows.length > 0;
}

/** Does this token hold an unexpired lease? */
export async function isHeld({ kind, subject, token }: Lease): Promise<boolean> {
  const held = heldBySql(kind, Prisma.sql`${subject}`, Prisma.sql`${token}::uuid`);
  const [row] = await prisma.$queryRaw<{ held: boolean }[]>(Prisma.sql`SELECT ${held} AS held`);
  return row?.held ?? false;
}

/** Takes those that are free of the things `owned` selects, under one token; returns their subjects. */
export async function acquireMany(kind: LeaseKind, owned: Prisma.Sql, token: string): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ subject: string }[]>(acquireSql(kind, owned, token));
  return rows.map(({ subject }) => subject);
}

/** Extends a lease; false once it was released or taken over. */
export async function renew(lease: Lease): Promise<boolean> {
  const renewed = await prisma.$executeRaw(Prisma.sql`
    UPDATE leases SET until = ${expiresAt(lease.kind)} WHERE ${isLease(lease)}`);
  return renewed > 0;
}

/** A third of the shortest lease that is renewed. */
const RENEW_MS = 30_000;

/** Runs `work` and calls `extend` every 30 seconds meanwhile, so that a lease lives as long as its holder. */
export async function whileRenewing<T>(extend: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void extend().catch(() => undefined), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Locks a lease until the transaction ends, even if it expires meanwhile; false when another token holds it. */
export async function fence(db: Pick<Db, "$queryRaw">, lease: Lease): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>(fenceSql(lease));
  return rows.length > 0;
}

/** Extends many leases of one token. */
export async function renewMany(kind: LeaseKind, subjects: string[], token: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    UPDATE leases SET until = ${expiresAt(kind)}
    WHERE kind = ${kind} AND subject = ANY(${subjects}) AND token = ${token}::uuid`);
}

/** Does what `fence` does, for many leases of one token; returns the subjects it holds. */
export async function fenceMany(
  db: Pick<Db, "$queryRaw">,
  { kind, subjects, token }: { kind: LeaseKind; subjects: string[]; token: string },
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ subject: string }[]>(Prisma.sql`
    SELECT subject FROM leases WHERE kind = ${kind} AND subject = ANY(${subjects}) AND token = ${token}::uuid
    ORDER BY subject FOR UPDATE`);
  return new Set(rows.map(({ subject }) => subject));
}

/** Frees many leases of one token. */
export async function releaseMany(kind: LeaseKind, subjects: string[], token: string): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM leases WHERE kind = ${kind} AND subject = ANY(${subjects}) AND token = ${token}::uuid`);
}

/** SQL that ends the leases on the pieces whose ids `pieces` selects: their holders write nothing any more. */
export function endLeasesOfSql(pieces: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`DELETE FROM leases l USING (${pieces}) AS p (id) WHERE l.content_piece_id = p.id`;
}

/** Ends all leases of the user. */
export async function endLeases(db: Pick<Db, "$executeRaw">, userId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`DELETE FROM leases WHERE user_id = ${userId}::uuid`);
}

/** Frees a lease for the next holder; does nothing to another holder's. */
export async function release(lease: Lease, db: Pick<Db, "$executeRaw"> = prisma): Promise<void> {
  await db.$executeRaw(Prisma.sql`DELETE FROM leases WHERE ${isLease(lease)}`);
}

/** Deletes leases that expired a day ago; those on a piece or session are deleted with it. */
export async function pruneLeases(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    DELETE FROM leases WHERE until < now() - interval '1 day' AND content_piece_id IS NULL AND chat_session_id IS NULL`);
}
