import pg from "pg";
import { corpus } from "@/tests/bench/corpus";

/** Counts of the rows, and the parent of each as SQL over `n`, from 1, newest first. */
export type Shape = {
  projects: number;
  topics: { count: number; project: string };
  keywords: { count: number; topic: string };
  pieces: { count: number; topic: string };
};

/** The positions of the two large projects of D1, from 1. */
export const MOST_PIECES = 2;
export const MOST_TOPICS = 3;

/**
 * D1, an account after years of uneven use: one project with 2,000 pieces, 1,500 of them in one topic, one with 200
 * topics, and more rows in newer topics than in older ones.
 */
const D1: Shape = {
  projects: 200,
  topics: {
    count: 2_000,
    project: `CASE WHEN n <= 20 THEN ${MOST_PIECES} WHEN n <= 220 THEN ${MOST_TOPICS}
      ELSE (ARRAY[1] || ARRAY(SELECT generate_series(4, 200)))[1 + floor(198 * ${leaning(1_780, 1.3)})::int] END`,
  },
  keywords: { count: 20_000, topic: "CASE WHEN n <= 500 THEN 1 ELSE 2 + (n - 501) % 1999 END" },
  pieces: {
    count: 10_000,
    topic: `CASE WHEN n <= 1500 THEN 1 WHEN n <= 2000 THEN 2 + (n - 1501) % 19
      ELSE 21 + floor(1980 * ${leaning(8_000, 1.2)})::int END`,
  },
};

const TEN: Shape = {
  projects: 2,
  topics: { count: 2, project: "n" },
  keywords: { count: 20, topic: "1 + n % 2" },
  pieces: { count: 10, topic: "1 + n % 2" },
};

/** Fills an empty account with D1; returns the ids of its projects, newest first. */
export function fillD1(databaseUrl: string, userId: string): Promise<number[]> {
  return fill(databaseUrl, userId, D1);
}

export function fillTen(databaseUrl: string, userId: string): Promise<number[]> {
  return fill(databaseUrl, userId, TEN);
}

/** Maps n to [0, 1), each of `count` values once; the higher the power, the more of them near 0. */
function leaning(count: number, power: number): string {
  return `power((n * 7919::bigint % ${count}) / ${count}.0, ${power})`;
}

/** Fills an empty account; returns the ids of its projects, newest first. */
export async function fill(databaseUrl: string, userId: string, shape: Shape): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(INSERT_PROJECTS, [userId, shape.projects]);
    await client.query(insertTopics(shape.topics.project), [userId, shape.topics.count]);
    await client.query(insertKeywords(shape.keywords.topic), [userId, shape.keywords.count]);
    await client.query(insertPieces(shape.pieces.topic), [userId, shape.pieces.count, corpus()]);
    await client.query(INSERT_POSTS, [userId]);
    await client.query("ANALYZE projects, topics, keywords, content_pieces, sites, piece_posts");
    const { rows } = await client.query<{ id: number }>("SELECT id FROM projects WHERE user_id = $1 ORDER BY id", [
      userId,
    ]);
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

const SUBJECTS = `(ARRAY['Seed starting','Watering','Pruning','Composting','Raised beds','Balcony herbs','Winter storage',
  'Pollinators','Soil tests','Pest control','Greenhouse care'])`;
const ANGLES = `(ARRAY['for beginners','on a small budget','week by week','without chemicals','in a rented flat',
  'and what can go wrong','compared: what a year of notes says about the cheap way and the careful one'])`;
const AT = `timestamptz '2026-10-01 08:00Z'`;

const INSERT_PROJECTS = `
  INSERT INTO projects (user_id, title, description, created_at)
  SELECT $1, ${SUBJECTS}[1 + n % 11] || ' ' || ${ANGLES}[1 + n % 7], 'What a reader needs, told in order. Plan ' || n || '.',
    ${AT} - n * interval '1 day'
  FROM generate_series(1, $2::int) n ORDER BY n`;

function insertTopics(project: string): string {
  return `
  WITH p AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM projects WHERE user_id = $1)
  INSERT INTO topics (user_id, project_id, name, description, category, created_at)
  SELECT $1, p.id, ${SUBJECTS}[1 + n % 11] || ', part ' || n, 'From the first question to the last doubt.', 'Garden ' || n % 9,
    ${AT} - n * interval '1 hour'
  FROM generate_series(1, $2::int) n JOIN p ON p.place = ${project} ORDER BY n`;
}

function insertKeywords(topic: string): string {
  return `
  WITH t AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM topics WHERE user_id = $1)
  INSERT INTO keywords (topic_id, keyword, created_at)
  SELECT t.id, lower(${SUBJECTS}[1 + n % 11]) || ' ' || n, ${AT} - n * interval '1 minute'
  FROM generate_series(1, $2::int) n JOIN t ON t.place = ${topic} ORDER BY n`;
}

const INSERT_POSTS = `
  WITH s AS (INSERT INTO sites (user_id, place, api_root, is_default) VALUES ($1, 'blog.example', 'https://blog.example/wp-json/', true)
    RETURNING id)
  INSERT INTO piece_posts (content_piece_id, site_id, status, post_id, permalink, publish_error, sent_source, sent_version)
  SELECT p.id, s.id, p.status, n.post_id, 'https://blog.example/?p=' || n.post_id,
    CASE WHEN p.status = 'wp_failed' THEN 'The site answered with an error (500).' END, 'its text', p.version
  FROM content_pieces p CROSS JOIN s
    LEFT JOIN (SELECT id, row_number() OVER (ORDER BY created_at) AS post_id FROM content_pieces
      WHERE user_id = $1 AND status = 'wp_published') n ON n.id = p.id
  WHERE p.user_id = $1 AND p.status IN ('wp_published', 'wp_draft', 'wp_failed')`;

/** About 6 KB of body each, cut from different places of the corpus, in every status that lists distinguish. */
function insertPieces(topic: string): string {
  return `
  WITH t AS (SELECT id, project_id, row_number() OVER (ORDER BY id) AS place FROM topics WHERE user_id = $1),
  s AS (SELECT n, (ARRAY['wp_published','draft','review','wp_published','draft','published','wp_published','unpublished',
      'wp_draft','wp_failed'])[1 + n % 10]::content_status AS status FROM generate_series(1, $2::int) n)
  INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, outline, is_outline, status, focus_keyword,
    created_at, updated_at)
  SELECT $1, t.project_id, t.id, ${SUBJECTS}[1 + n % 11] || ' ' || ${ANGLES}[1 + n % 7] || ': lesson ' || n,
    '## Lesson ' || n || E'\\n\\n' || substr($3::text, (1 + n::bigint * 379 % (length($3::text) - 6000))::int, 6000),
    E'- What it is\\n- What it costs\\n- What to do first', n % 2 = 0, status, lower(${SUBJECTS}[1 + n % 11]),
    ${AT} - n * interval '1 minute', ${AT} - n * interval '1 minute'
  FROM s JOIN t ON t.place = ${topic} ORDER BY n`;
}
