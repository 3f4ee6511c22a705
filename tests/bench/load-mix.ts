import type { Bench } from "@/tests/bench/benchmark";
import { fillD1, fillTen } from "@/tests/bench/data-set";

/** A user who sends requests, with a session, a login, and a piece to read and save. */
export type LoadUser = { username: string; cookie: string; pieceId: string };

type LoadRequest = { method: "GET" | "POST" | "PATCH"; path: string; headers: Record<string, string>; body?: string };

const PASSWORD = "a calm desk for words";

/** Users with ten pieces each, except the first with ten thousand. */
export async function newPeople(bench: Bench, count: number): Promise<LoadUser[]> {
  const people: LoadUser[] = [];
  for (let n = 0; n < count; n++) people.push(await newUser(bench, `load.${n}`, n === 0 ? fillD1 : fillTen));
  return people;
}

async function newUser({ stack }: Bench, username: string, fill: typeof fillTen): Promise<LoadUser> {
  const answer = await fetch(`${stack.url}/api/register`, {
    method: "POST",
    headers: { origin: stack.url, "content-type": "application/json" },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  if (!answer.ok) throw new Error(`POST /api/register answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  await fill(stack.databaseUrl, id);
  const list = await fetch(`${stack.url}/api/content?limit=1`, { headers: { cookie } });
  const [piece] = (await list.json()) as { id: string }[];
  return { username, cookie, pieceId: piece?.id ?? "" };
}

/**
 * Mixes the requests: of 25, 18 read, 3 save, 3 search and 1 logs in, which is roughly a busy day. Each user has an address
 * of their own, as behind one proxy.
 */
export function mixOf(people: LoadUser[], origin: string): LoadRequest[] {
  const mix = people.flatMap((user, n) => {
    const stranger = { origin, "content-type": "application/json", "x-forwarded-for": `192.0.2.${n + 1}` };
    const headers = { ...stranger, cookie: user.cookie };
    const read = (path: string): LoadRequest => ({ method: "GET", path, headers });
    const piece = `/api/content/${user.pieceId}`;
    const save: LoadRequest = {
      method: "PATCH",
      path: piece,
      headers,
      body: JSON.stringify({ body: savedText(user) }),
    };
    const login = JSON.stringify({ username: user.username, password: PASSWORD });
    return [
      ...["/api/projects", "/api/content?limit=50", piece, "/api/queue/status", "/api/user", "/api/content/groups"]
        .flatMap((path) => [path, path, path])
        .map(read),
      ...[save, save, save],
      ...["frost", "shallow%20root", "nothing%20like%20it"].map((word) => read(`/api/content?limit=50&search=${word}`)),
      {
        method: "POST",
        path: "/api/login",
        headers: stranger,
        body: login,
      } as const,
    ];
  });
  // Interleave the users: 7 is coprime to the length.
  return mix.map((_, n) => mix[(n * 7) % mix.length] as LoadRequest);
}

function savedText({ username }: LoadUser): string {
  return `## Saved by ${username}\n\n${"What a reader needs, told in order. ".repeat(160)}`;
}
