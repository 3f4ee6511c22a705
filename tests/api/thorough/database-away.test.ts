import pg from "pg";
import type { Failure } from "@/lib/transport/reply";
import { type Caller, createCaller } from "@/tests/support/app";
import { eventually } from "@/tests/support/backend";
import { databaseUrl } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

const SENTENCE = "The service is not available right now. Please try again in a moment.";
/** Replaces the product's 15 s. */
const SILENCE_MS = 600;

jest.mock("@/lib/db/timeout-socket", () => {
  const { timeoutSocket } = jest.requireActual("@/lib/db/timeout-socket");
  return { timeoutSocket: () => timeoutSocket(SILENCE_MS) };
});
// The request in which server actions run.
let mockCookie = "";
jest.mock("next/headers", () => ({
  headers: async () => new Headers({ cookie: mockCookie }),
  cookies: async () => ({ set: jest.fn() }),
}));

let direct: string;
let proxy: TcpProxy;
let workspace: Awaited<ReturnType<typeof newWorkspace>>;
let piece: string;

// Before the first route is loaded, which reads the environment.
beforeAll(async () => {
  direct = databaseUrl();
  const url = new URL(direct);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  process.env.DATABASE_URL = url.href;
  workspace = await patiently(() => newWorkspace());
  piece = await patiently(() => newPiece(workspace, workspace, { body: "one" }));
  mockCookie = workspace.caller.cookie() ?? "";
});
afterEach(() => proxy.restore());
afterAll(async () => {
  process.env.DATABASE_URL = direct;
  await proxy.close();
});

/** Retries: on a busy machine a statement may exceed this suite's short timeout. */
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
  ["POST …/generate-outline-queue", (caller) => caller.post(`/api/topics/${workspace.topicId}/generate-outline-queue`)],
  ["PATCH /api/content/{id}", (caller) => caller.patch(`/api/content/${piece}`, { body: "two" })],
  ["DELETE /api/content/{id}", (caller) => caller.delete(`/api/content/${piece}`)],
];

async function expectAway(ask: Ask, withinMs: number): Promise<void> {
  const began = Date.now();
  const answer = await ask(workspace.caller);
  expect(answer.body).toEqual({ error: SENTENCE, type: "SERVICE_UNAVAILABLE", requestId: expect.any(String) });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.headers.get("x-request-id")).toBe((answer.body as Failure).requestId);
  expect(Date.now() - began).toBeLessThan(withinMs);
}

/** An answer is valid for a second. */
async function expectReady(status: number, body: object): Promise<void> {
  await eventually(
    () => createCaller().get("/api/ready"),
    (answer) => answer.status === status,
  );
  expect((await createCaller().get("/api/ready")).body).toMatchObject(body);
}

async function expectWell(): Promise<void> {
  expect((await workspace.caller.get("/api/user")).status).toBe(200);
}

/** Blocks every reader and writer of this table until released. */
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

/** Runs a statement directly, not through the proxy, and returns the number of rows. */
async function onServer(sql: string, values: unknown[] = []): Promise<number> {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  try {
    return (await client.query(sql, values)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

describe("while Postgres is down", () => {
  it.each(asks)("%s answers 503 with a sentence, and works again without a restart", async (_name, ask) => {
    await proxy.cut();
    // The first call gets a dead connection from the pool; the second cannot open a new one.
    await expectAway(ask, 6_000);
    await expectAway(ask, 6_000);
    await proxy.restore();
    await expectWell();
  });

  it("is reported by /api/ready", async () => {
    await proxy.cut();
    await expectReady(503, { ok: false, database: "down", migrations: "unknown", engine: "unknown" });
    await proxy.restore();
    await expectReady(200, { ok: true, database: "up", migrations: "current" });
  });

  it("leaves /api/health as it is: a restart would not help", async () => {
    await proxy.cut();
    expect((await workspace.caller.get("/api/health")).status).toBe(200);
  });

  it("is reported by server actions", async () => {
    const { saveSettingsAction } = await import("@/lib/features/sites/actions");
    const { signInAction } = await import("@/lib/features/account/sign-in/actions");
    const failure = { error: SENTENCE, type: "SERVICE_UNAVAILABLE", status: 503, requestId: expect.any(String) };
    await proxy.cut();
    expect(await saveSettingsAction({ wordpressUsername: "maren" })).toEqual({ ok: false, error: failure });
    expect(await signInAction({ username: "somebody", password: "something" })).toEqual({ ok: false, error: failure });
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
      const call = expectAway((caller) => caller.get("/api/projects"), 6_000);
      await untilWaiting("projects");
      await end();
      await call;
    } finally {
      await release();
    }
    await proxy.restore();
    await expectWell();
  });

  it("answers 503 when the connection is cut in a transaction, and rolls it back", async () => {
    const id = await newPiece(workspace, workspace, { body: "stays" });
    const release = await lockTable("content_pieces");
    try {
      const call = expectAway((caller) => caller.delete(`/api/content/${id}`), 6_000);
      await untilWaiting("content_pieces");
      await proxy.cut();
      await call;
    } finally {
      await release();
    }
    await proxy.restore();
    expect(await workspace.caller.get(`/api/content/${id}`)).toMatchObject({ status: 200, body: { body: "stays" } });
  });

  it("recovers all connections after many failures", async () => {
    const many = () => Promise.all(Array.from({ length: 40 }, () => workspace.caller.get("/api/projects")));
    for (let round = 0; round < 3; round++) {
      expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([200]));
      await proxy.cut();
      expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([503]));
      await proxy.restore();
    }
    expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("while the connection to Postgres is silently broken", () => {
  it("gives up on a statement, and on opening another connection", async () => {
    await expectWell();
    proxy.freeze();
    await expectAway((caller) => caller.get("/api/projects"), SILENCE_MS + 3_000);
    await expectAway((caller) => caller.get("/api/projects"), 6_000);
    await proxy.restore();
    await expectWell();
  });

  it("gives up on a transaction and never reuses its connection", async () => {
    const ids = [await newPiece(workspace, workspace), await newPiece(workspace, workspace)];
    const release = await lockTable("content_pieces");
    const call = expectAway((caller) => caller.delete(`/api/content/${ids[0]}`), 6_000);
    await untilWaiting("content_pieces");
    proxy.freeze();
    await release();
    await call;
    await proxy.restore();
    await expectWell();
    expect((await workspace.caller.delete(`/api/content/${ids[1]}`)).status).toBe(204);
  });

  it("tolerates a shorter silence of a statement", async () => {
    const { prisma } = await import("@/lib/db/prisma");
    const [row] = await prisma.$queryRaw<
      { done: boolean }[]
    >`SELECT pg_sleep(${SILENCE_MS / 2000}) IS NOT NULL AS done`;
    expect(row?.done).toBe(true);
  });
});
