import { createHash, randomBytes, randomUUID } from "node:crypto";
import { hashSync } from "@node-rs/argon2";
import type { RevisionOut } from "@/lib/features/content/schema";
import { type Caller, createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";

export const PASSWORD = "correct horse battery staple";

export type User = { caller: Caller; id: string; username: string };

let passwordHash: string | undefined;

/** Inserts a signed-in account; suites use separate ones, so that they do not interfere. */
export async function newUser(): Promise<User> {
  passwordHash ??= hashSync(PASSWORD);
  const username = freeUsername();
  const token = randomBytes(32).toString("base64url");
  const [user] = await query<{ id: string }>(
    `WITH person AS (INSERT INTO users (username, password) VALUES ($1, $2) RETURNING id),
       session AS (INSERT INTO sessions (session_token, user_id, expires)
         SELECT $3, id, now() + interval '30 days' FROM person)
     INSERT INTO audit_events (user_id, action) SELECT id, 'account.registered' FROM person RETURNING user_id AS id`,
    [username, passwordHash, createHash("sha256").update(token).digest("base64url")],
  );
  if (!user) throw new Error("The account was not made.");
  return { caller: createCaller(`session=${token}`), id: user.id, username };
}

/** Registers through the API: the session is tied to an address. */
export async function registerUser(): Promise<User> {
  const caller = createCaller();
  const username = freeUsername();
  const answer = await caller.post<{ id: string }>("/api/register", { username, password: PASSWORD });
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${answer.text}`);
  return { caller, id: answer.body.id, username };
}

function freeUsername(): string {
  return `u${randomUUID().slice(0, 12)}`;
}

export async function newProject({ id }: Pick<User, "id">, title = "Spring planting guide"): Promise<number> {
  return insert<number>("projects (user_id, title) VALUES ($1, $2)", [id, title]);
}

export async function newTopic(
  { id }: Pick<User, "id">,
  projectId: number,
  name = "Seed starting indoors",
): Promise<number> {
  const description = "From packet to potting up: mixes, light and warmth.";
  const columns = "topics (user_id, project_id, name, description)";
  return insert<number>(`${columns} VALUES ($1, $2, $3, $4)`, [id, projectId, name, description]);
}

/** Each piece is newer than the user's others by a millisecond at least: lists have the newest first. */
export async function newPiece(
  { id }: Pick<User, "id">,
  { projectId, topicId }: { projectId: number; topicId: number },
  { title = "A peat-free seed mix", body = "" }: { title?: string; body?: string } = {},
): Promise<string> {
  return insert<string>(
    `content_pieces (user_id, project_id, topic_id, title, body, is_title_only, created_at)
     SELECT $1, $2, $3, $4, $5, $5 !~ '\\S', greatest(now(), max(created_at) + interval '1 millisecond')
     FROM content_pieces WHERE user_id = $1`,
    [id, projectId, topicId, title, body],
  );
}

/** By rows: setting up through the API was a good part of the suites' time. */
export async function insert<Id>(into: string, values: unknown[]): Promise<Id> {
  const [row] = await query<{ id: Id }>(`INSERT INTO ${into} RETURNING id`, values);
  if (!row) throw new Error(`Nothing was inserted into ${into}`);
  return row.id;
}

/** The newest revisions of a piece with their texts. */
export async function revisionsOf({ caller }: Pick<User, "caller">, pieceUrl: string): Promise<RevisionOut[]> {
  const { body } = await caller.get<{ id: string }[]>(`${pieceUrl}/revisions`);
  return Promise.all(body.map(async ({ id }) => (await caller.get<RevisionOut>(`${pieceUrl}/revisions/${id}`)).body));
}

/** A user with a project and a topic. */
export async function newWorkspace(
  names: { project?: string; topic?: string } = {},
): Promise<User & { projectId: number; topicId: number }> {
  const user = await newUser();
  const projectId = await newProject(user, names.project);
  return { ...user, projectId, topicId: await newTopic(user, projectId, names.topic) };
}
