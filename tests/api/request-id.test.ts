import { type Backend, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

const mockLines: string[] = [];
const mockRequest = { headers: new Headers() };

// Collects the lines of the product's logger.
jest.mock("@/lib/log", () => {
  const { createLog } = jest.requireActual("@/lib/log");
  return { log: createLog({ write: (line: string) => mockLines.push(line) }) };
});
// The request in which server actions run.
jest.mock("next/headers", () => ({
  headers: async () => mockRequest.headers,
  cookies: async () => ({ set: () => undefined }),
}));

type Line = { level: number; msg: string; requestId?: string; digest?: string; err?: { message: string } };
type Refusal = { type: string; error: string; requestId: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let backend: Backend;
let workspace: Awaited<ReturnType<typeof newWorkspace>>;

beforeAll(async () => {
  process.env.LOG_LEVEL = "info";
  backend = await startBackend();
  workspace = await newWorkspace();
}, 60_000);
afterAll(() => backend.close());
beforeEach(() => {
  mockLines.length = 0;
});

function linesOf(requestId: string): Line[] {
  return mockLines.map((line) => JSON.parse(line) as Line).filter((line) => line.requestId === requestId);
}

/** Makes every access to a table fail unexpectedly until `then` has ended. */
async function whileAway<T>(table: "keywords" | "buyer_personas", then: () => Promise<T>): Promise<T> {
  await query(`ALTER TABLE ${table} RENAME TO table_away`);
  return then().finally(() => query(`ALTER TABLE table_away RENAME TO ${table}`));
}

it("a failed call has the same id in its body, header and log line", async () => {
  const answer = await whileAway("keywords", () =>
    workspace.caller.get<Refusal>(`/api/topics/${workspace.topicId}/keywords`),
  );
  expect(answer).toMatchObject({ status: 500, body: { type: "INTERNAL" } });
  const { requestId } = answer.body;
  expect(requestId).toMatch(UUID);
  expect(answer.headers.get("x-request-id")).toBe(requestId);
  expect(linesOf(requestId)).toMatchObject([{ level: 50, msg: "unexpected failure" }]);
  // The reason is for the log only.
  expect(linesOf(requestId)[0]?.err?.message).toContain("keywords");
  expect(answer.text).not.toMatch(/keywords|prisma|relation/i);
});

it("every response has its own id, also on success", async () => {
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push((await workspace.caller.get("/api/user")).headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(UUID);
});

it("keeps the client's id if it is safe to log", async () => {
  const ask = async (id: string) =>
    (await workspace.caller.call<Refusal>("GET", "/api/projects/none", undefined, { "x-request-id": id })).body
      .requestId;
  expect(await ask("client-7_a")).toBe("client-7_a");
  for (const id of ["two words", 'a"},{"level":10', "<script>", "x".repeat(65), "ä", ""]) {
    expect([id, await ask(id)]).toEqual([id, expect.stringMatching(UUID)]);
  }
});

it("a failed stream has the id in its last event", async () => {
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  const piece = await newPiece(workspace, workspace, { title: "A piece" });
  const answer = await whileAway("buyer_personas", () =>
    workspace.caller.call("POST", `/api/content/${piece}/generate-outline`, undefined, { accept: "text/event-stream" }),
  );
  const data = /event: error\ndata: (.*)/.exec(answer.text)?.[1] ?? "{}";
  const { requestId, type } = JSON.parse(data) as Refusal;
  expect(type).toBe("INTERNAL");
  expect(requestId).toBe(answer.headers.get("x-request-id"));
  expect(linesOf(requestId).map(({ msg }) => msg)).toEqual(["unexpected failure"]);
});

it("a failed form returns the id of its request, which is in the log", async () => {
  const { createProjectAction } = await import("@/lib/features/projects/actions");
  const requestId = "0d6f1f0c-7d9c-4f43-9d7c-6a2d1d1d3f10";
  mockRequest.headers = new Headers({ "x-request-id": requestId, cookie: workspace.caller.cookie() ?? "" });
  await query("ALTER TABLE projects RENAME TO projects_away");
  const answer = await createProjectAction({ title: "Never saved" }).finally(() =>
    query("ALTER TABLE projects_away RENAME TO projects"),
  );
  expect(answer).toMatchObject({ ok: false, error: { type: "INTERNAL", requestId } });
  expect(linesOf(requestId).map(({ msg }) => msg)).toEqual(["unexpected failure"]);
});

it("a failed page is logged with the request's id and Next's digest", async () => {
  const { onRequestError } = await import("@/instrumentation");
  const { NEXT_RUNTIME } = process.env;
  process.env.NEXT_RUNTIME = "nodejs";
  try {
    const request = { path: "/", method: "GET", headers: { "x-request-id": "page-1" } };
    const context = { routerKind: "App Router", routePath: "/(app)", routeType: "render" } as const;
    const error = Object.assign(new Error("broken"), { digest: "3550866990" });
    await onRequestError(error, request, { ...context, renderSource: "server-rendering", revalidateReason: undefined });
  } finally {
    if (NEXT_RUNTIME === undefined) delete process.env.NEXT_RUNTIME;
    else process.env.NEXT_RUNTIME = NEXT_RUNTIME;
  }
  expect(linesOf("page-1")).toMatchObject([{ msg: "a page failed", digest: "3550866990", err: { message: "broken" } }]);
});
