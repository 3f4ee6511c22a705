import pg from "pg";
import { BODY_MAX } from "@/lib/features/content/rules";
import type { Stack } from "@/scripts/stack";
import { corpus } from "@/tests/bench/corpus";
import type { RealWordPress } from "@/tests/support/real-wordpress";

/** A user who is connected to the site. */
export type Publisher = { id: string; cookie: string };

/** What a publish-all answers. */
type Published = { results: { success: boolean; unchanged?: true; error?: string }[]; jobId?: string };

export async function newPublisher({ url }: Stack, site: RealWordPress): Promise<Publisher> {
  const register = { username: "publisher", password: "a calm desk for words" };
  const { body, cookie } = await call<{ id: string }>(url, "POST", "/api/register", register);
  const user = { id: body.id, cookie };
  const { username, applicationPassword } = site.users.editor;
  const settings = {
    wordpressUrl: site.url,
    wordpressUsername: username,
    wordpressPassword: applicationPassword,
  };
  await call(url, "PATCH", "/api/user/settings", settings, user.cookie);
  return user;
}

/** Makes a project with this many pieces in one topic; returns its id. */
export async function newProject(
  { databaseUrl }: Stack,
  { id }: Publisher,
  { pieces, body }: { pieces: number; body: (n: number) => string },
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The schedule would look for what earlier rounds created, which is gone by now.
    await client.query("UPDATE piece_posts SET unanswered_since = NULL WHERE unanswered_since IS NOT NULL");
    const { rows } = await client.query<{ project: number; topic: number }>(INSERT_TOPIC, [id]);
    const [made] = rows;
    // The pieces are made a few at a time: they may be large.
    for (let n = 0; n < pieces; n += 10) {
      const some = Array.from({ length: Math.min(10, pieces - n) }, (_, at) => body(n + at));
      await client.query(INSERT_PIECES, [id, made?.project, made?.topic, n, some]);
    }
    await client.query("ANALYZE content_pieces");
    return made?.project ?? 0;
  } finally {
    await client.end();
  }
}

const INSERT_TOPIC = `
  WITH p AS (INSERT INTO projects (user_id, title) VALUES ($1, 'A garden year') RETURNING id)
  INSERT INTO topics (user_id, project_id, name, description, category)
  SELECT $1, p.id, 'Seed starting', '', 'Garden' FROM p RETURNING project_id AS project, id AS topic`;

const INSERT_PIECES = `
  INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, created_at)
  SELECT $1, $2::int, $3::int, 'Lesson ' || $4::int + n || ' of ' || $2::int, body, now() + ($4::int + n) * interval '1 millisecond'
  FROM unnest($5::text[]) WITH ORDINALITY AS b (body, n)`;

/** Seconds until the answer to a publish-all. */
export async function publishAll({ url }: Stack, { cookie }: Publisher, projectId: number): Promise<number> {
  const began = performance.now();
  const path = `/api/projects/${projectId}/publish-all-to-wordpress`;
  const { body } = await call<Published>(url, "POST", path, {}, cookie);
  const seconds = (performance.now() - began) / 1_000;
  const failed = body.results.find(({ success }) => !success);
  if (failed || body.jobId) throw new Error(`A publish-all failed: ${failed?.error}`);
  return seconds;
}

async function call<Body>(url: string, method: string, path: string, input: object, cookie = "") {
  const answer = await fetch(url + path, {
    method,
    headers: { origin: url, "content-type": "application/json", cookie },
    body: JSON.stringify(input),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return { body: (await answer.json()) as Body, cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
}

const TEXT = corpus();

/** About 11 KB of Markdown, in the forms that an article has, and no two alike. */
export function articleBody(n: number): string {
  const paragraph = (at: number) =>
    TEXT.slice(((n * 379 + at * 997) % (TEXT.length - 600)) | 0)
      .slice(0, 500)
      .replaceAll("\n", " ");
  const sections = Array.from({ length: 6 }, (_, at) =>
    [
      `## Part ${at + 1} of ${n}`,
      `**First of all** ${paragraph(5 * at)} [more](https://example.com/${n}/${at})`,
      paragraph(5 * at + 1),
      Array.from({ length: 6 }, (_, item) => `- ${paragraph(5 * at + 2).slice(item * 60, item * 60 + 55)}`).join("\n"),
      `> ${paragraph(5 * at + 3).slice(0, 200)}`,
    ].join("\n\n"),
  );
  return sections.join("\n\n");
}

/** Returns the longest body that is allowed. */
export function largestBody(n: number): string {
  const article = `${articleBody(n)}\n\n`;
  return article.repeat(Math.ceil(BODY_MAX / article.length)).slice(0, BODY_MAX);
}
