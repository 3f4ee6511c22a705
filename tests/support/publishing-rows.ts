import { randomUUID } from "node:crypto";
import { query } from "@/tests/support/db";
import { insert, newProject, newUser } from "@/tests/support/factories";

// Rows of publishing jobs inserted one by one, and what a statement changes in them: all of it, and nothing else.

type Columns = Record<string, unknown>;

export const STATUSES = ["pending", "processing", "completed", "failed", "cancelled"] as const;
/** Pieces that each job has an item of, one in each status; no other row knows them. */
export const PIECES = STATUSES.map(() => randomUUID());

export type JobRows = { id: string; userId: string; projectId: number };

/** Every column of a job that a statement may change is set. */
const FULL = { status: "processing", tries: 3, error: "Old", error_type: "OLD" };
export const LIVE = { ...FULL, completed_at: null };
export const ENDED = { ...FULL, status: "failed", completed_at: "2026-01-01T00:00:00Z" };
const FULL_ITEM = { is_unchanged: true, error: "Old", error_type: "OLD", detail: "Old", post_id: "0", permalink: "/0" };

/**
 * Three jobs with the same columns and items, an hour old: one to work on, one of another project of its owner, and
 * another user's.
 */
export async function newJobs(columns: Columns, statuses: readonly string[] = STATUSES): Promise<JobRows> {
  await query("DELETE FROM publishing_jobs");
  const [owner, stranger] = [await newUser(), await newUser()];
  const make = async (userId: string) => newJobRow({ userId, projectId: await newProject({ id: userId }) }, columns);
  const [job, ...others] = [await make(owner.id), await make(owner.id), await make(stranger.id)];
  for (const each of [job, ...others])
    for (const [place, status] of statuses.entries()) await newItemRow(each, place, { status });
  return job;
}

export async function newJobRow({ userId, projectId }: Omit<JobRows, "id">, columns: Columns = LIVE): Promise<JobRows> {
  const moment = new Date(Date.now() - 3_600_000);
  const times = { not_before: moment, started_at: moment, created_at: moment };
  const row = { user_id: userId, project_id: projectId, verb: "publish_all", ...times, ...columns };
  return { id: await insert<string>(`publishing_jobs ${values(row)}`, Object.values(row)), userId, projectId };
}

async function newItemRow({ id }: JobRows, position: number, columns: Columns): Promise<void> {
  const piece = { content_piece_id: PIECES[position] ?? randomUUID(), title: `Piece ${position}` };
  const row = { job_id: id, position, ...piece, ...FULL_ITEM, ...columns };
  await query(`INSERT INTO publishing_items ${values(row)}`, Object.values(row));
}

function values(row: Columns): string {
  const names = Object.keys(row);
  return `(${names.join(", ")}) VALUES (${names.map((_, place) => `$${place + 1}`).join(", ")})`;
}

/**
 * Runs `act` and returns its result and what it changed in the jobs and items: the new values of this job as "job" and of its
 * items by their positions, times as whole minutes from now; any other row by its id.
 */
export async function changesBy<T>(
  { id }: JobRows,
  act: () => Promise<T>,
): Promise<{ answer: T; changed: Record<string, unknown> }> {
  const before = await everyRow(id);
  const answer = await act();
  const after = await everyRow(id);
  const changed: Record<string, unknown> = {};
  for (const [name, row] of before) {
    const now = after.get(name);
    const fields = now && Object.entries(now).filter(([field, value]) => value !== row[field]);
    if (!fields) changed[name] = "gone";
    else if (fields.length > 0)
      changed[name] = Object.fromEntries(fields.map(([field, value]) => [field, fromNow(field, value)]));
  }
  for (const name of after.keys()) if (!before.has(name)) changed[name] = "made";
  return { answer, changed };
}

async function everyRow(jobId: string): Promise<Map<string, Columns>> {
  const rows = await query<{ name: string; row: Columns }>(
    `SELECT CASE WHEN id = $1 THEN 'job' ELSE 'job ' || id END AS name, to_jsonb(j) AS row FROM publishing_jobs j
     UNION ALL SELECT CASE WHEN job_id = $1 THEN '' ELSE job_id || ' ' END || position, to_jsonb(i) FROM publishing_items i`,
    [jobId],
  );
  return new Map(rows.map(({ name, row }) => [name, row]));
}

function fromNow(field: string, value: unknown): unknown {
  const isMoment = /_at$|^not_before$/.test(field);
  // Turns -0 into 0.
  return isMoment && value !== null ? Math.round((Date.parse(String(value)) - Date.now()) / 60_000) + 0 : value;
}
