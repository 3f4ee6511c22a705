import { randomUUID } from "node:crypto";
import { type Caller, createCaller } from "@/tests/support/app";

export const PASSWORD = "correct horse battery staple";

export type Person = { caller: Caller; id: string; username: string };

/** A new account, signed in; every suite has people of its own, so that suites never meet. */
export async function newPerson(): Promise<Person> {
  const caller = createCaller();
  const username = `u${randomUUID().slice(0, 12)}`;
  const answer = await caller.post<{ id: string }>("/api/register", { username, password: PASSWORD });
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${answer.text}`);
  return { caller, id: answer.body.id, username };
}

export async function newProject({ caller }: Person, title = "Spring planting guide"): Promise<number> {
  return (await caller.post<{ id: number }>("/api/projects", { title })).body.id;
}

export async function newTopic({ caller }: Person, projectId: number, name = "Seed starting indoors"): Promise<number> {
  const body = { name, description: "From packet to potting up: mixes, light and warmth." };
  return (await caller.post<{ id: number }>(`/api/projects/${projectId}/topics`, body)).body.id;
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

/** A person with a project and a topic in it. */
export async function newDesk(
  names: { project?: string; topic?: string } = {},
): Promise<Person & { projectId: number; topicId: number }> {
  const person = await newPerson();
  const projectId = await newProject(person, names.project);
  return { ...person, projectId, topicId: await newTopic(person, projectId, names.topic) };
}
