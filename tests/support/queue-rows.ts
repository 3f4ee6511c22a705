import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { JobType } from "@/lib/features/work/schema";
import type { RunRef } from "@/lib/features/work/sql/items";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newUser, type User } from "@/tests/support/factories";

// Queue rows inserted one by one, and what a statement changes in them: all of it, and nothing else.

export type Columns = Record<string, unknown>;
export type Owner = { id: string; projectId: number; topicId: number };
export type Job = { id: string; owner: Owner; jobType: JobType };
export type Item = { id: string; jobType: JobType; job: Job; piece: string; token: string; sends: number };

export const OUTLINE = "outline_generation";
export const CONTENT = "content_generation";

/** The columns of an item that a run has been at work on for half an hour. */
export const AT_WORK: Columns = { status: "processing", run_id: "run-1", started_at: inMinutes(-30) };
/** What a statement changes that finds its item in the wrong state. */
export const NOTHING = {};

/** Each test of the suite starts with queues without jobs, leases and waits. */
export function emptyQueues(): void {
  const empty = async () => {
    for (const table of ["processing_jobs", "leases", "provider_waits"]) await query(`DELETE FROM ${table}`);
  };
  beforeEach(empty);
  afterAll(empty);
}

/** So many minutes from now. */
export function inMinutes(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000);
}

/** A user with a project and a topic, inserted as rows. */
export async function newOwner(): Promise<Owner & User> {
  const user = await newUser();
  const { id } = user;
  const [row] = await query<{ projectId: number; topicId: number }>(
    `WITH project AS (INSERT INTO projects (user_id, title) VALUES ($1, 'Beds') RETURNING id)
     INSERT INTO topics (project_id, user_id, name, description) SELECT id, $1, 'Soil', 'What grows in it.' FROM project
     RETURNING project_id AS "projectId", id AS "topicId"`,
    [id],
  );
  return { ...user, projectId: row?.projectId ?? 0, topicId: row?.topicId ?? 0 };
}

/** Another topic of the same project. */
export async function newTopicOf({ id, projectId }: Owner): Promise<Owner> {
  const [row] = await query<{ id: number }>(
    "INSERT INTO topics (project_id, user_id, name, description) VALUES ($1, $2, 'Water', 'And when.') RETURNING id",
    [projectId, id],
  );
  return { id, projectId, topicId: row?.id ?? 0 };
}

export async function newPieceOf({ id, projectId, topicId }: Owner, columns: Columns = {}): Promise<string> {
  const row = { user_id: id, project_id: projectId, topic_id: topicId, title: "Seeds", ...columns };
  return inserted("content_pieces", row);
}

/** A job one hour after its start, with room for ten items. */
export async function newJobOf(owner: Owner, columns: Columns = {}): Promise<Job> {
  const row = {
    user_id: owner.id,
    project_id: owner.projectId,
    topic_id: owner.topicId,
    job_type: OUTLINE,
    status: "processing",
    total_items: 10,
    updated_at: inMinutes(-60),
    started_at: inMinutes(-60),
    ...columns,
  };
  return { id: await inserted("processing_jobs", row), owner, jobType: row.job_type as JobType };
}

/** Another user's job that is being cancelled, older than the jobs made after it. */
export async function newCancelledJob(): Promise<void> {
  await newJobOf(await newOwner(), { cancel_requested_at: inMinutes(-1) });
}

/** An item untouched for an hour, with a piece of its own. */
export async function newItemOf(job: Job, columns: Columns = {}): Promise<Item> {
  const status = columns.status ?? "pending";
  const token = String(columns.claim_token ?? randomUUID());
  const id = String(columns.id ?? randomUUID());
  const piece = String(columns.content_piece_id ?? (await newPieceOf(job.owner)));
  await inserted("processing_queue", {
    job_type: job.jobType,
    job_id: job.id,
    user_id: job.owner.id,
    topic_id: job.owner.topicId,
    created_at: inMinutes(-60),
    updated_at: inMinutes(-60),
    completed_at: status === "pending" || status === "processing" ? null : inMinutes(-60),
    ...columns,
    id,
    content_piece_id: piece,
    claim_token: status === "processing" && columns.claim_token !== null ? token : null,
  });
  return { id, jobType: job.jobType, job, piece, token, sends: Number(columns.sends ?? 0) };
}

/** Items of one job, a second apart, whose pieces are gone. */
export async function manyItemsOf(job: Job, count: number, columns = "", values = ""): Promise<void> {
  await query(
    `INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, created_at, updated_at${columns})
     SELECT job_type, id, user_id, topic_id, gen_random_uuid(), now() - interval '1 day' + n * interval '1 second',
       now() - interval '5 minutes'${values}
     FROM processing_jobs, generate_series(1, $2) n WHERE id = $1`,
    [job.id, count],
  );
}

/**
 * Items in the same state as this one, which must not be affected: a neighbour, another user's, and one with the same
 * id in the other queue.
 */
export async function newBystanders(of: Item, columns: Columns = {}): Promise<void> {
  await newItemOf(of.job, columns);
  const elsewhere = await newTopicOf(of.job.owner);
  const job_type = of.jobType === OUTLINE ? CONTENT : OUTLINE;
  await newItemOf(await newJobOf(elsewhere, { job_type }), { ...columns, id: of.id });
  await newItemOf(await newJobOf(await newOwner()), columns);
}

/**
 * An item among bystanders; if it is being processed, it has a lease on its piece, by default for five more minutes.
 */
export async function newItemAmongOthers(columns: Columns = {}, job: Columns = {}, leaseMinutes = 5): Promise<Item> {
  const item = await newItemOf(await newJobOf(await newOwner(), job), columns);
  await newBystanders(item, columns);
  if (columns.status === "processing") await newLeaseOf(item, leaseMinutes);
  return item;
}

/** The lease on an item's piece, or as overridden. */
export async function newLeaseOf(item: Item, minutes: number, columns: Columns = {}): Promise<void> {
  const row = { kind: "writing", subject: item.piece, user_id: item.job.owner.id, token: item.token, ...columns };
  await query("INSERT INTO leases (kind, subject, user_id, token, until) VALUES ($1, $2, $3, $4, $5)", [
    row.kind,
    row.subject,
    row.user_id,
    row.token,
    inMinutes(minutes),
  ]);
}

export async function newWaitOf({ id }: Owner, columns: Columns): Promise<void> {
  const row = { user_id: id, ...columns };
  await query(`INSERT INTO provider_waits ${values(row)}`, Object.values(row));
}

export function runOf({ id, jobType, sends }: Item, runId = "run-1"): RunRef {
  return { itemId: id, jobType, sends, runId };
}

export function claimRefOf({ id, jobType, token }: Item) {
  return { itemId: id, jobType, token };
}

/** Runs `act` while another transaction holds a change to an item's job, piece or row, then commits that. */
export async function afterChange<T>(change: string, id: string, act: () => Promise<T>): Promise<T> {
  const other = await holdTransaction(change, [id]);
  const acting = act();
  await waitForLock();
  await other.releaseLock();
  return acting;
}

/** As afterChange, while another call of `run-1` claims the item. */
export async function afterClaim<T>({ id, job, piece, token }: Item, act: () => Promise<T>): Promise<T> {
  const take = "UPDATE processing_queue SET status = 'processing', claim_token = $2, run_id = 'run-1' WHERE id = $1";
  const other = await holdTransaction(take, [id, token]);
  const lease = "INSERT INTO leases (kind, subject, user_id, token, until) VALUES ('writing', $1, $2, $3, $4)";
  await other.also(lease, [piece, job.owner.id, token, inMinutes(5)]);
  const acting = act();
  await waitForLock();
  await other.releaseLock();
  return acting;
}

export const nameOf = ({ id, jobType }: Item | Job) => `${jobType} ${id}`;
export const leaseOf = ({ piece }: Item) => `writing ${piece}`;
export const waitOf = ({ id }: Pick<Owner, "id">) => `wait ${id}`;

/**
 * Runs `act` and returns its result and what it changed in all queues, leases and waits: new values by row, times as
 * whole minutes from now, inserted and deleted rows as "made" and "gone".
 */
export async function changesBy<T>(act: () => Promise<T>): Promise<{ answer: T; changed: Record<string, unknown> }> {
  const before = await everyRow();
  const answer = await act();
  const after = await everyRow();
  const changed: Record<string, unknown> = {};
  for (const [name, row] of before.rows) {
    const now = after.rows.get(name);
    const fields = now && Object.entries(now).filter(([field, value]) => !isDeepStrictEqual(value, row[field]));
    if (!fields) changed[name] = "gone";
    else if (fields.length > 0)
      changed[name] = Object.fromEntries(fields.map(([field, value]) => [field, fromNow(field, value, after.now)]));
  }
  for (const name of after.rows.keys()) if (!before.rows.has(name)) changed[name] = "made";
  return { answer, changed };
}

async function everyRow(): Promise<{ now: number; rows: Map<string, Columns> }> {
  const rows = await query<{ name: string; row: Columns; now: Date }>(
    `SELECT now(), r.name, r.row FROM (
       SELECT job_type || ' ' || id AS name, to_jsonb(q) AS row FROM processing_queue q
       UNION ALL SELECT job_type || ' ' || id, to_jsonb(j) FROM processing_jobs j
       UNION ALL SELECT kind || ' ' || subject, to_jsonb(l) FROM leases l
       UNION ALL SELECT 'wait ' || user_id, to_jsonb(w) FROM provider_waits w) r`,
  );
  return { now: Number(rows[0]?.now), rows: new Map(rows.map(({ name, row }) => [name, row])) };
}

function fromNow(field: string, value: unknown, now: number): unknown {
  const isMoment = /_at$|_until$|_since$|^(not_before|until)$/.test(field);
  // A turn's minute and a half is rounded down. Adding 0 turns -0 into 0.
  return isMoment && value !== null ? Math.round((Date.parse(String(value)) - now - 5) / 60_000) + 0 : value;
}

async function inserted(table: string, row: Columns): Promise<string> {
  const [made] = await query<{ id: string }>(`INSERT INTO ${table} ${values(row)} RETURNING id`, Object.values(row));
  return made?.id ?? "";
}

function values(row: Columns): string {
  const names = Object.keys(row);
  return `(${names.join(", ")}) VALUES (${names.map((_, place) => `$${place + 1}`).join(", ")})`;
}
