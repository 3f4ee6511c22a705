import { createHash, randomUUID } from "node:crypto";
import type { Backend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newDesk, newPiece, newTopic, type Person } from "@/tests/support/factories";
import type { TokenIssuer } from "@/tests/support/id-tokens";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

/** One person with one of everything, each text carrying the person's mark: where it turns up elsewhere, it has leaked. */
export type World = Person & {
  mark: string;
  projectId: number;
  topicId: number;
  personaId: number;
  keywordId: number;
  /** With body, outline and a revision. */
  pieceId: string;
  /** A title alone. */
  titleId: string;
  /** With an outline, without a body. */
  outlinedId: string;
  revisionId: string;
  liveJobId: string;
  failedJobId: string;
  /** A conversation in which something was said. */
  chatId: string;
  /** The token of a link to set a new password; good once `storeReset` was called. */
  resetToken: string;
  /** An ID token of a person of its own; empty where no issuer is given. */
  idToken: string;
};

type Outside = { ai: Backend["ai"]; site: SampleWordPress; tokens?: TokenIssuer };

/** `outside`: the sample provider and site the person is connected to; absent, the person has neither. */
export async function newWorld(outside?: Outside): Promise<World> {
  const mark = `Mark${randomUUID().slice(0, 8)}`;
  const desk = await newDesk({ project: `${mark} project`, topic: `${mark} topic` });
  const { caller, projectId, topicId } = desk;
  if (outside) {
    await caller.patch("/api/user/settings", {
      openaiApiKey: outside.ai.apiKey,
      wordpressUrl: outside.site.url,
      wordpressUsername: outside.site.username,
      wordpressPassword: outside.site.applicationPassword,
    });
  }
  const persona = {
    name: `${mark} reader`,
    age: 40,
    description: `${mark} reads`,
    interests: [mark],
    challenges: [mark],
  };
  const pieceId = await newPiece(desk, desk, { title: `${mark} piece`, body: `## ${mark}\n\nWritten by hand.` });
  const outlinedId = await newPiece(desk, desk, { title: `${mark} outlined` });
  await caller.patch(`/api/content/${outlinedId}`, { outline: "## Alpha\nFirst.\n\n## Beta\nSecond." });
  await caller.patch(`/api/content/${pieceId}`, { body: `## ${mark}\n\nWritten by hand, twice.` });
  const revisions = (await caller.get<{ id: string }[]>(`/api/content/${pieceId}/revisions`)).body;
  return {
    ...desk,
    mark,
    pieceId,
    outlinedId,
    titleId: await newPiece(desk, desk, { title: `${mark} title alone` }),
    revisionId: revisions.at(-1)?.id ?? "",
    personaId: (await caller.post<{ id: number }>(`/api/projects/${projectId}/buyer-persona`, persona)).body.id,
    keywordId: (await caller.post<{ id: number }>(`/api/topics/${topicId}/keywords`, { keyword: `${mark} keyword` }))
      .body.id,
    liveJobId: await newJob(desk, projectId, "pending"),
    failedJobId: await newJob(desk, projectId, "failed"),
    chatId: await newChat(desk, projectId, mark),
    resetToken: mark.padEnd(43, "x"),
    idToken: (await outside?.tokens?.token({ sub: `uid-${mark}`, name: mark })) ?? "",
  };
}

async function newChat({ id }: Person, projectId: number, mark: string): Promise<string> {
  const [session] = await query<{ id: string }>(
    `WITH s AS (INSERT INTO chat_sessions (user_id, project_id) VALUES ($1, $2) RETURNING id)
     INSERT INTO chat_messages (session_id, position, role, content) SELECT id, 1, 'user', $3 FROM s RETURNING session_id AS id`,
    [id, projectId, `${mark} says hello`],
  );
  return session?.id ?? "";
}

/** As if the person had asked for the link and got it. */
export async function storeReset({ id, resetToken }: World): Promise<void> {
  const hash = createHash("sha256").update(resetToken).digest("base64url");
  await query("INSERT INTO password_resets (token_hash, user_id, expires) VALUES ($1, $2, now() + interval '1 hour')", [
    hash,
    id,
  ]);
}

/** A job of one item in a topic of its own, as the queue would have left it. */
async function newJob(person: Person, projectId: number, status: "pending" | "failed"): Promise<string> {
  const topicId = await newTopic(person, projectId, `Topic of the ${status} job`);
  const pieceId = await newPiece(person, { projectId, topicId }, { title: `Piece of the ${status} job` });
  const ended = status === "failed";
  const [job] = await query<{ id: string }>(
    `INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items, failed_items, completed_at)
     VALUES ($1, $2, $3, 'outline_generation', $4::processing_status, 1, $5, $6) RETURNING id`,
    [person.id, projectId, topicId, status, ended ? 1 : 0, ended ? new Date() : null],
  );
  await query(
    `INSERT INTO processing_queue (job_id, job_type, user_id, topic_id, content_piece_id, status, completed_at, dispatched_at)
     VALUES ($1, 'outline_generation', $2, $3, $4, $5::processing_status, $6, now())`,
    [job?.id, person.id, topicId, pieceId, status, ended ? new Date() : null],
  );
  return job?.id ?? "";
}

/** Tables with rows of a person, each with how to find them. What signing in and limits write is not content. */
const OWN_ROWS = {
  users: "id = $1",
  accounts: "user_id = $1",
  projects: "user_id = $1",
  topics: "user_id = $1",
  keywords: "topic_id IN (SELECT id FROM topics WHERE user_id = $1)",
  buyer_personas: "project_id IN (SELECT id FROM projects WHERE user_id = $1)",
  content_pieces: "user_id = $1",
  content_revisions: "content_piece_id IN (SELECT id FROM content_pieces WHERE user_id = $1)",
  processing_jobs: "user_id = $1",
  processing_queue: "user_id = $1",
  idempotency_keys: "user_id = $1",
  chat_sessions: "user_id = $1",
  chat_messages: "session_id IN (SELECT id FROM chat_sessions WHERE user_id = $1)",
};

/** A fingerprint of everything a person has, table by table: equal when nothing was changed. */
export async function snapshot({ id }: { id: string }): Promise<Record<string, string>> {
  const parts = Object.entries(OWN_ROWS).map(
    ([table, where]) =>
      `SELECT '${table}' AS name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS rows
       FROM ${table} t WHERE ${where.replace("$1", "$1::uuid")}`,
  );
  const rows = await query<{ name: string; rows: string }>(parts.join(" UNION ALL "), [id]);
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}
