import { createHash, randomBytes, randomUUID } from "node:crypto";
import { hashSync } from "@node-rs/argon2";
import type { RevisionOut } from "@/lib/features/content/schema";
import { type Caller, createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";

export const PASSWORD = "correct horse battery staple";

export type Person = { caller: Caller; id: string; username: string };

/** The least argon2id there is: a hash says what it cost, and hundreds of accounts of tests need not cost what real ones do. */
let passwordHash: string | undefined;

/** A new account, signed in, as registering leaves it; every suite has people of its own, so that suites never meet. */
export async function newPerson(): Promise<Person> {
  passwordHash ??= hashSync(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  const username = freeUsername();
  const token = randomBytes(32).toString("base64url");
  const [person] = await query<{ id: string }>(
    `WITH person AS (INSERT INTO users (username, password) VALUES ($1, $2) RETURNING id),
       session AS (INSERT INTO sessions (session_token, user_id, expires)
         SELECT $3, id, now() + interval '30 days' FROM person)
     INSERT INTO audit_events (user_id, action) SELECT id, 'account.registered' FROM person RETURNING user_id AS id`,
    [username, passwordHash, createHash("sha256").update(token).digest("base64url")],
  );
  if (!person) throw new Error("The account was not made.");
  return { caller: createCaller(`session=${token}`), id: person.id, username };
}

/** One who came in by the door: with a hash that costs what it does for everybody, and a session from an address. */
export async function newRegistered(): Promise<Person> {
  const caller = createCaller();
  const username = freeUsername();
  const answer = await caller.post<{ id: string }>("/api/register", { username, password: PASSWORD });
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${answer.text}`);
  return { caller, id: answer.body.id, username };
}

function freeUsername(): string {
  return `u${randomUUID().slice(0, 12)}`;
}

export async function newProject({ caller }: Person, title = "Spring planting guide"): Promise<number> {
  const answer = await caller.post<{ id: number }>("/api/projects", { title });
  if (answer.status !== 201) throw new Error(`project: ${answer.status} ${answer.text}`);
  return answer.body.id;
}

export async function newTopic({ caller }: Person, projectId: number, name = "Seed starting indoors"): Promise<number> {
  const body = { name, description: "From packet to potting up: mixes, light and warmth." };
  const answer = await caller.post<{ id: number }>(`/api/projects/${projectId}/topics`, body);
  if (answer.status !== 201) throw new Error(`topic: ${answer.status} ${answer.text}`);
  return answer.body.id;
}

export async function newPiece(
  { caller }: Person,
  place: { projectId: number; topicId: number },
  piece: { title?: string; body?: string } = {},
): Promise<string> {
  const url = `/api/projects/${place.projectId}/topics/${place.topicId}/content`;
  const answer = await caller.post<{ id: string }>(url, { title: "A peat-free seed mix", ...piece });
  if (answer.status !== 201) throw new Error(`content: ${answer.status} ${answer.text}`);
  return answer.body.id;
}

/** The newest revisions of a piece, each with its texts. */
export async function revisionsOf({ caller }: Pick<Person, "caller">, pieceUrl: string): Promise<RevisionOut[]> {
  const { body } = await caller.get<{ id: string }[]>(`${pieceUrl}/revisions`);
  return Promise.all(body.map(async ({ id }) => (await caller.get<RevisionOut>(`${pieceUrl}/revisions/${id}`)).body));
}

/** A person with a project and a topic in it. */
export async function newDesk(
  names: { project?: string; topic?: string } = {},
): Promise<Person & { projectId: number; topicId: number }> {
  const person = await newPerson();
  const projectId = await newProject(person, names.project);
  return { ...person, projectId, topicId: await newTopic(person, projectId, names.topic) };
}
