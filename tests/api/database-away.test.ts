import pg from "pg";
import type { Failure } from "@/lib/transport/reply";
import { type Caller, createCaller } from "@/tests/support/app";
import { databaseUrl } from "@/tests/support/db";
import { newDesk, newPiece } from "@/tests/support/factories";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

const SENTENCE = "The service is not available right now. Please try again in a moment.";
/** Stands for the 15 s of the product. */
const SILENCE_MS = 600;

jest.mock("@/lib/db/impatient-socket", () => {
  const { impatientSocket } = jest.requireActual("@/lib/db/impatient-socket");
  return { impatientSocket: () => impatientSocket(SILENCE_MS) };
});
// What a server action is called with.
let mockCookie = "";
jest.mock("next/headers", () => ({
  headers: async () => new Headers({ cookie: mockCookie }),
  cookies: async () => ({ set: jest.fn() }),
}));

let direct: string;
let proxy: TcpProxy;
let desk: Awaited<ReturnType<typeof newDesk>>;
let piece: string;

// Before the first route is loaded: it reads its environment then.
beforeAll(async () => {
  direct = databaseUrl();
  const url = new URL(direct);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  process.env.DATABASE_URL = url.href;
  desk = await patiently(() => newDesk());
  piece = await patiently(() => newPiece(desk, desk, { body: "one" }));
  mockCookie = desk.caller.cookie() ?? "";
});
afterEach(() => proxy.restore());
afterAll(async () => {
  process.env.DATABASE_URL = direct;
  await proxy.close();
});

/** On a busy machine a statement is silent for longer than this suite allows: then once more. */
async function patiently<T>(make: () => Promise<T>, tries = 5): Promise<T> {
  return make().catch((error: unknown) => {
    if (tries <= 1) throw error;
    return patiently(make, tries - 1);
  });
}

type Ask = (caller: Caller) => ReturnType<Caller["call"]>;

const asks: [string, Ask][] = [
  ["GET /api/user", (caller) => caller.get("/api/user")],
  ["GET /api/projects", (caller) => caller.get("/api/projects")],
  ["GET /api/content", (caller) => caller.get("/api/content?search=one")],
  ["GET /api/queue/status", (caller) => caller.get("/api/queue/status")],
  ["POST /api/projects", (caller) => caller.post("/api/projects", { title: "While away" })],
  ["POST /api/login", (caller) => caller.post("/api/login", { username: "somebody", password: "something" })],
  ["POST …/generate-outline-queue", (caller) => caller.post(`/api/topics/${desk.topicId}/generate-outline-queue`)],
  ["PATCH /api/content/{id}", (caller) => caller.patch(`/api/content/${piece}`, { body: "two" })],
  ["DELETE /api/content/{id}", (caller) => caller.delete(`/api/content/${piece}`)],
];

async function expectAway(ask: Ask, withinMs: number): Promise<void> {
  const began = Date.now();
  const answer = await ask(desk.caller);
  expect(answer.body).toEqual({ error: SENTENCE, type: "SERVICE_UNAVAILABLE", requestId: expect.any(String) });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.headers.get("x-request-id")).toBe((answer.body as Failure).requestId);
  expect(Date.now() - began).toBeLessThan(withinMs);
}

async function expectWell(): Promise<void> {
  expect((await desk.caller.get("/api/user")).status).toBe(200);
  expect((await desk.caller.get("/api/health")).status).toBe(200);
}

/** Holds every reader and writer of this table back until released. */
async function lockTable(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return () => client.end();
}

async function untilWaiting(table: string): Promise<void> {
  const sql = "SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted";
  while ((await onServer(sql, [table])) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Past the proxy; how many rows. */
async function onServer(sql: string, values: unknown[] = []): Promise<number> {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  try {
    return (await client.query(sql, values)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

describe("while Postgres is away", () => {
  it.each(asks)("%s answers 503 with a sentence, and works again without a restart", async (_name, ask) => {
    await proxy.cut();
    // The first one meets a connection that died in the pool, the second is refused a new one.
    await expectAway(ask, 6_000);
    await expectAway(ask, 6_000);
    await proxy.restore();
    await expectWell();
  });

  it("is told by /api/health", async () => {
    await proxy.cut();
    expect((await desk.caller.get("/api/health")).status).toBe(503);
    expect((await createCaller().get("/api/health")).status).toBe(503);
  });

  it("is told by server actions", async () => {
    const { saveSettingsAction, signInAction } = await import("@/lib/features/account/actions");
    const told = { error: SENTENCE, type: "SERVICE_UNAVAILABLE", status: 503, requestId: expect.any(String) };
    await proxy.cut();
    expect(await saveSettingsAction({ wordpressUsername: "maren" })).toEqual({ ok: false, error: told });
    expect(await signInAction({ username: "somebody", password: "something" })).toEqual({ ok: false, error: told });
    await proxy.restore();
    expect(await saveSettingsAction({ wordpressUsername: "maren" })).toMatchObject({ ok: true });
  });

  it.each([
    ["the connection is cut", () => proxy.cut()],
    [
      "the server ends it",
      async () => {
        const own = "datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'";
        expect(await onServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${own}`)).toBe(1);
      },
    ],
  ])("answers 503 when %s in the middle of a statement", async (_how, end) => {
    const release = await lockTable("projects");
    try {
      const asked = expectAway((caller) => caller.get("/api/projects"), 6_000);
      await untilWaiting("projects");
      await end();
      await asked;
    } finally {
      await release();
    }
    await proxy.restore();
    await expectWell();
  });

  it("answers 503 when the connection is cut in the middle of a transaction, and does none of it", async () => {
    const id = await newPiece(desk, desk, { body: "stays" });
    const release = await lockTable("content_pieces");
    try {
      const asked = expectAway((caller) => caller.delete(`/api/content/${id}`), 6_000);
      await untilWaiting("content_pieces");
      await proxy.cut();
      await asked;
    } finally {
      await release();
    }
    await proxy.restore();
    expect(await desk.caller.get(`/api/content/${id}`)).toMatchObject({ status: 200, body: { body: "stays" } });
  });

  it("has all its connections back after many failures", async () => {
    const many = () => Promise.all(Array.from({ length: 40 }, () => desk.caller.get("/api/projects")));
    for (let round = 0; round < 3; round++) {
      expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([200]));
      await proxy.cut();
      expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([503]));
      await proxy.restore();
    }
    expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("while the way to Postgres has broken without a word", () => {
  it("gives up a statement, and the attempt to open another connection", async () => {
    await expectWell();
    proxy.freeze();
    await expectAway((caller) => caller.get("/api/projects"), SILENCE_MS + 3_000);
    await expectAway((caller) => caller.get("/api/projects"), 6_000);
    await proxy.restore();
    await expectWell();
  });

  it("gives up a transaction and never uses its connection again", async () => {
    const ids = [await newPiece(desk, desk), await newPiece(desk, desk)];
    const release = await lockTable("content_pieces");
    const asked = expectAway((caller) => caller.delete(`/api/content/${ids[0]}`), 6_000);
    await untilWaiting("content_pieces");
    proxy.freeze();
    await release();
    await asked;
    await proxy.restore();
    await expectWell();
    expect((await desk.caller.delete(`/api/content/${ids[1]}`)).status).toBe(204);
  });

  it("lets a statement be silent for less than that", async () => {
    const { prisma } = await import("@/lib/db/prisma");
    const [row] = await prisma.$queryRaw<
      { done: boolean }[]
    >`SELECT pg_sleep(${SILENCE_MS / 2000}) IS NOT NULL AS done`;
    expect(row?.done).toBe(true);
  });
});
