import type { Account } from "@/scripts/samples/start";

/** Calls the API of a running app over HTTP as one user. A call that fails throws what was answered. */
export type HttpCaller = {
  <T>(method: string, path: string, body?: unknown): Promise<T>;
  /** DELETE */
  remove(path: string): Promise<void>;
  /** Reads a whole event stream as text. */
  stream(path: string): Promise<string>;
  /** Of its session. */
  headers: { cookie: string };
};

/** Signs in. `url` is the app's address, without a slash at its end. */
export async function signInOverHttp(url: string, account: Account): Promise<HttpCaller> {
  const login = await send(url, "POST", "/api/login", {}, account);
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await (await send(url, method, path, { cookie }, body)).json()) as T;
  const stream = async (path: string) =>
    (await send(url, "POST", path, { cookie, accept: "text/event-stream" })).text();
  const remove = async (path: string) => void (await send(url, "DELETE", path, { cookie, ...JSON_TYPE }));
  return Object.assign(call, { remove, stream, headers: { cookie } });
}

const JSON_TYPE = { "content-type": "application/json" };

async function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Response> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body ? JSON_TYPE : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

export type TopicOfPieces = { projectId: number; topicId: number; pieces: string[] };

/** A new project with one topic of pieces, each with these fields. */
export async function newTopicOfPieces(
  call: HttpCaller,
  name: string,
  count: number,
  fields: { outline?: string; body?: string },
): Promise<TopicOfPieces> {
  const project = await call<{ id: number }>("POST", "/api/projects", { title: name });
  const topic = await call<{ id: number }>("POST", `/api/projects/${project.id}/topics`, { name, description: name });
  const pieces: string[] = [];
  for (let n = 1; n <= count; n++) {
    const url = `/api/projects/${project.id}/topics/${topic.id}/content`;
    const { id } = await call<{ id: string }>("POST", url, { title: `${name}, part ${n}` });
    if (Object.keys(fields).length > 0) await call("PATCH", `/api/content/${id}`, fields);
    pieces.push(id);
  }
  return { projectId: project.id, topicId: topic.id, pieces };
}

export type JobSeen = {
  id: string;
  status: string;
  completedItems: number;
  failedItems: number;
  cancelledItems: number;
  completedAt: string | null;
};

/** A job of the user's queues, as the status shows it. */
export async function queueJob(call: HttpCaller, jobId: string): Promise<JobSeen | undefined> {
  return (await call<{ jobs: JobSeen[] }>("GET", "/api/queue/status")).jobs.find(({ id }) => id === jobId);
}
