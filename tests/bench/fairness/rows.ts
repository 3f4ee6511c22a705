import type { Bench } from "@/tests/bench/benchmark";
import { fill, fillTen } from "@/tests/bench/data-set";
import { query, type User } from "@/tests/bench/fairness/users";

export type Plan = { projectId: number; topicId: number };

/** Inserts a project with topics of five keywords each; the first topic has `count` pieces that are a title alone. */
export async function insertTitles(bench: Bench, { id }: User, count: number, topics = 1): Promise<Plan[]> {
  const plans = await query<Plan>(bench, INSERT_PLAN, [id, topics]);
  await query(bench, INSERT_TITLES, [id, plans[0]?.projectId, plans[0]?.topicId, count]);
  return plans;
}

/** Inserts titles, no two of them alike, because ideas that repeat one are left out. */
const INSERT_TITLES = `
  INSERT INTO content_pieces (user_id, project_id, topic_id, title, is_title_only, created_at)
  SELECT $1, $2::int, $3::int,
    'What row ' || n || ' of the garden taught us about ' || (ARRAY['water','light','frost','seeds','soil'])[1 + n % 5], true,
    now() + n * interval '1 millisecond'
  FROM generate_series(1, $4::int) n`;

const INSERT_PLAN = `
  WITH p AS (INSERT INTO projects (user_id, title) VALUES ($1, 'A garden year') RETURNING id),
  t AS (INSERT INTO topics (user_id, project_id, name, description, category)
    SELECT $1, p.id, 'Seed starting ' || n, '', 'Garden' FROM p, generate_series(1, $2::int) n RETURNING id, project_id),
  k AS (INSERT INTO keywords (topic_id, keyword) SELECT id, 'seed trays ' || n FROM t, generate_series(1, 5) n)
  SELECT project_id AS "projectId", id AS "topicId" FROM t`;

/** Inserts projects with descriptions of this many characters, each of three bytes. */
export async function insertProjects(bench: Bench, { id }: User, count: number, characters: number): Promise<void> {
  await query(
    bench,
    `INSERT INTO projects (user_id, title, description) SELECT $1, 'Plan ' || n, repeat('庭', $3::int)
     FROM generate_series(1, $2::int) n`,
    [id, count, characters],
  );
}

/** An account of an ordinary size; returns its pieces' ids. */
export async function insertOrdinary(bench: Bench, user: User): Promise<string[]> {
  await fill(bench.stack.databaseUrl, user.id, {
    projects: 50,
    topics: { count: 100, project: "1 + n % 50" },
    keywords: { count: 500, topic: "1 + n % 100" },
    pieces: { count: 1_000, topic: "1 + n % 100" },
  });
  return piecesOf(bench, user);
}

/** An account that was just begun; returns its pieces' ids. */
export async function insertFew(bench: Bench, user: User): Promise<string[]> {
  await fillTen(bench.stack.databaseUrl, user.id);
  return piecesOf(bench, user);
}

async function piecesOf(bench: Bench, { id }: User): Promise<string[]> {
  const pieces = await query<{ id: string }>(bench, "SELECT id FROM content_pieces WHERE user_id = $1 ORDER BY id", [
    id,
  ]);
  return pieces.map((piece) => piece.id);
}

/** One project with 10,000 pieces, the most that it may have; returns its id. */
export async function insertLargeProject({ stack }: Bench, user: User): Promise<number> {
  const [id = 0] = await fill(stack.databaseUrl, user.id, {
    projects: 1,
    topics: { count: 10, project: "1" },
    keywords: { count: 100, topic: "1 + n % 10" },
    pieces: { count: 10_000, topic: "1 + n % 10" },
  });
  return id;
}
