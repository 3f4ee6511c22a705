import pg from "pg";
import type { Bench } from "@/tests/bench/benchmark";

/** A user with a session. */
export type User = { id: string; username: string; cookie: string };

export const PASSWORD = "a calm desk for words";
/** How long the sample provider takes over a whole answer with a key of these, in milliseconds. */
type Latency = 0 | 9_000 | 60_000;

let made = 0;

/** Registers a user whose key leads to the sample provider. */
export async function newUser(bench: Bench, { latencyMs = 0 }: { latencyMs?: Latency } = {}): Promise<User> {
  const username = `fair.${++made}`;
  const answer = await ask(bench, "POST", "/api/register", { body: { username, password: PASSWORD } });
  const { id } = (await answer.json()) as { id: string };
  const user = { id, username, cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const key = `${bench.stack.samples?.ai.apiKey}${latencyMs ? `-${latencyMs}` : ""}`;
  await ask(bench, "PATCH", "/api/user/settings", { cookie: user.cookie, body: { openaiApiKey: key } });
  return user;
}

/** Throws what was answered when a call fails. */
export async function ask(
  { stack: { url } }: Bench,
  method: string,
  path: string,
  { cookie = "", body }: { cookie?: string; body?: unknown } = {},
): Promise<Response> {
  const answer = await fetch(url + path, {
    method,
    headers: { origin: url, cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Runs one statement on the benchmark's database. */
export async function query<Row extends object>({ stack }: Bench, sql: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
