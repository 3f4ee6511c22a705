import { createHash, randomUUID } from "node:crypto";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import type { Backend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { insert, newPiece, newTopic, newWorkspace, type User } from "@/tests/support/factories";
import type { TokenIssuer } from "@/tests/support/id-tokens";

/** A user with one of everything. Each text carries the user's mark, so that a leak is recognisable. */
export type World = User & {
  mark: string;
  projectId: number;
  topicId: number;
  personaId: number;
  keywordId: number;
  instructionId: number;
  /** With body, outline and a revision. */
  pieceId: string;
  /** Title only. */
  titleId: string;
  /** With an outline but no body. */
  outlinedId: string;
  revisionId: string;
  liveJobId: string;
  liveItemId: string;
  failedJobId: string;
  failedItemId: string;
  publishingJobId: string;
  /** The default site, if the user is connected to one; else one that is not connected. */
  siteId: string;
  /** What the site lets in; empty without one. */
  siteLogin: { url: string; username: string; password: string } | Record<string, never>;
  /** A conversation with messages. */
  chatId: string;
  /** Of the sample site, or of one that is not there. */
  siteUrl: string;
  /** Of a connection to that site, which waits for the user's approval. */
  connectionState: string;
  /** A password reset token; valid after `storeReset`. */
  resetToken: string;
  /** A Firebase ID token of a different user; empty without an issuer. */
  idToken: string;
};

type Outside = { ai: Backend["ai"]; site: SampleWordPress; tokens?: TokenIssuer };

/** Connects the user to the sample provider and site of `outside`, if given. */
export async function newWorld(outside?: Outside): Promise<World> {
  const mark = `Mark${randomUUID().slice(0, 8)}`;
  const workspace = await newWorkspace({ project: `${mark} project`, topic: `${mark} topic` });
  const { caller, projectId, topicId } = workspace;
  const { url, username, applicationPassword: password } = outside?.site ?? {};
  if (outside) {
    await caller.patch("/api/user/settings", {
      openaiApiKey: outside.ai.apiKey,
      wordpressUrl: url,
      wordpressUsername: username,
      wordpressPassword: password,
    });
  }
  const piece = (name: string, body = "") => newPiece(workspace, workspace, { title: `${mark} ${name}`, body });
  const pieceId = await piece("piece", `## ${mark}\n\nWritten by hand.`);
  const outlinedId = await piece("outlined");
  await caller.patch(`/api/content/${outlinedId}`, { outline: "## Alpha\nFirst.\n\n## Beta\nSecond." });
  await caller.patch(`/api/content/${pieceId}`, { body: `## ${mark}\n\nWritten by hand, twice.` });
  const live = await newJob(workspace, projectId, "pending");
  const failed = await newJob(workspace, projectId, "failed");
  return {
    ...workspace,
    mark,
    pieceId,
    outlinedId,
    titleId: await piece("title alone"),
    revisionId: await oldestRevision(pieceId),
    personaId: await insert<number>(
      `buyer_personas (project_id, name, age, description, interests, challenges)
       VALUES ($1, $2::text || ' reader', 40, $2::text || ' reads', ARRAY[$2::text], ARRAY[$2::text])`,
      [projectId, mark],
    ),
    keywordId: await insert<number>("keywords (topic_id, keyword) VALUES ($1, $2)", [topicId, `${mark} keyword`]),
    instructionId: await insert<number>("saved_instructions (user_id, text) VALUES ($1, $2)", [
      workspace.id,
      `${mark} instruction`,
    ]),
    ...{ liveJobId: live.jobId, liveItemId: live.itemId },
    ...{ failedJobId: failed.jobId, failedItemId: failed.itemId },
    publishingJobId: await newPublishingJob(workspace, projectId, { pieceId, mark }),
    siteId: await siteOf(workspace, mark),
    siteLogin: url && username && password ? { url, username, password } : {},
    chatId: await newChat(workspace, projectId, mark),
    siteUrl: outside?.site.url ?? "http://127.0.0.1:9",
    connectionState: await newConnection(workspace, mark),
    resetToken: mark.padEnd(43, "x"),
    idToken: (await outside?.tokens?.token({ sub: `uid-${mark}`, name: mark })) ?? "",
  };
}

async function newConnection({ id, caller }: User, mark: string): Promise<string> {
  const state = mark.padEnd(43, "x");
  const hashes = [state, caller.cookie()?.split("=")[1] ?? ""].map(hashOf);
  await query(
    `INSERT INTO site_connections (id, session_token, user_id, url, places, expires_at)
     VALUES ($1, $2, $3, 'https://x.example', '{x.example}', now() + interval '1 hour')`,
    [...hashes, id],
  );
  return state;
}

async function siteOf({ id }: User, mark: string): Promise<string> {
  const [site] = await query<{ id: string }>("SELECT id FROM sites WHERE user_id = $1", [id]);
  return (
    site?.id ?? insert<string>("sites (user_id, name, place) VALUES ($1, $2::text || ' site', $2::text)", [id, mark])
  );
}

async function oldestRevision(pieceId: string): Promise<string> {
  const [revision] = await query<{ id: string }>(
    "SELECT id FROM content_revisions WHERE content_piece_id = $1 ORDER BY created_at, id LIMIT 1",
    [pieceId],
  );
  return revision?.id ?? "";
}

/** Ended, with one piece that failed. */
async function newPublishingJob(
  { id }: User,
  projectId: number,
  { pieceId, mark }: { pieceId: string; mark: string },
): Promise<string> {
  const [job] = await query<{ id: string }>(
    `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, job_type, input, status, total_items, failed_items, completed_at)
       VALUES ($1, $2, 'publishing', '{"verb": "publish_all"}', 'failed', 1, 1, now()) RETURNING id)
     INSERT INTO processing_queue (job_type, job_id, user_id, position, content_piece_id, status, error, result, completed_at)
     SELECT 'publishing', id, $1, 0, $3, 'failed', $4, jsonb_build_object('title', $4::text, 'type', 'CONNECTION_ERROR'), now()
     FROM j RETURNING job_id AS id`,
    [id, projectId, pieceId, `${mark} piece`],
  );
  return job?.id ?? "";
}

/** A publishing job as the release before keeps it. */
export async function newFormerJob({ id, projectId }: { id: string; projectId: number }): Promise<void> {
  await query(
    `WITH j AS (INSERT INTO publishing_jobs (user_id, project_id, verb, status, completed_at)
       VALUES ($1, $2, 'publish_all', 'completed', now()) RETURNING id)
     INSERT INTO publishing_items (job_id, position, content_piece_id, title, status)
     SELECT id, 0, gen_random_uuid(), 'Old', 'completed' FROM j`,
    [id, projectId],
  );
}

async function newChat({ id }: User, projectId: number, mark: string): Promise<string> {
  const [session] = await query<{ id: string }>(
    `WITH s AS (INSERT INTO chat_sessions (user_id, project_id) VALUES ($1, $2) RETURNING id)
     INSERT INTO chat_messages (session_id, position, role, content) SELECT id, 1, 'user', $3 FROM s RETURNING session_id AS id`,
    [id, projectId, `${mark} says hello`],
  );
  return session?.id ?? "";
}

/** As the app stores tokens. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** As if the user had requested the link. */
export async function storeReset({ id, resetToken }: World): Promise<void> {
  await query("INSERT INTO password_resets (token_hash, user_id, expires) VALUES ($1, $2, now() + interval '1 hour')", [
    hashOf(resetToken),
    id,
  ]);
}

/** A job with one item in a topic of its own, as the queue would leave it. */
async function newJob(user: User, projectId: number, status: "pending" | "failed") {
  const topicId = await newTopic(user, projectId, `Topic of the ${status} job`);
  const pieceId = await newPiece(user, { projectId, topicId }, { title: `Piece of the ${status} job` });
  const ended = status === "failed";
  const [job] = await query<{ id: string }>(
    `INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items, failed_items, completed_at)
     VALUES ($1, $2, $3, 'outline_generation', $4::processing_status, 1, $5, $6) RETURNING id`,
    [user.id, projectId, topicId, status, ended ? 1 : 0, ended ? new Date() : null],
  );
  const [item] = await query<{ id: string }>(
    `INSERT INTO processing_queue (job_id, job_type, user_id, topic_id, content_piece_id, status, error, completed_at, sent_at)
     VALUES ($1, 'outline_generation', $2, $3, $4, $5::processing_status, $6, $7, now()) RETURNING id`,
    [job?.id, user.id, topicId, pieceId, status, ended ? "It did not answer." : null, ended ? new Date() : null],
  );
  return { jobId: job?.id ?? "", itemId: item?.id ?? "" };
}

/** Tables with a user's rows, and how to find them. Sign-ins and limits are not content. */
const OWN_ROWS = {
  users: "id = $1",
  accounts: "user_id = $1",
  saved_instructions: "user_id = $1",
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

/** How many rows a user has in these tables, by default in all but the one of keys. */
export async function countRows(
  { id }: { id: string },
  isCounted = (table: string) => table !== "idempotency_keys",
): Promise<number> {
  const parts = Object.entries(OWN_ROWS)
    .filter(([table]) => isCounted(table))
    .map(([table, where]) => `SELECT count(*) AS rows FROM ${table} WHERE ${where.replace("$1", "$1::uuid")}`);
  const [found] = await query<{ rows: number }>(
    `SELECT sum(rows)::int AS rows FROM (${parts.join(" UNION ALL ")}) counts`,
    [id],
  );
  return found?.rows ?? -1;
}

/** A fingerprint of each table's rows of a user: equal if nothing changed. */
export async function snapshot({ id }: { id: string }): Promise<Record<string, string>> {
  const parts = Object.entries(OWN_ROWS).map(
    ([table, where]) =>
      `SELECT '${table}' AS name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS rows
       FROM ${table} t WHERE ${where.replace("$1", "$1::uuid")}`,
  );
  const rows = await query<{ name: string; rows: string }>(parts.join(" UNION ALL "), [id]);
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}
