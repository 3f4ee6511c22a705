import { type Backend, type EngineCall, eventually, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace, type User } from "@/tests/support/factories";

// An intercepted signed call that is replayed costs and changes nothing, at any time (S18, S23).

type Endpoint = { POST: (request: Request, context: unknown) => Promise<Response> };

const calls: EngineCall[] = [];
/** Runs once between the engine's call and the app. */
let before: ((call: EngineCall) => Promise<void>) | undefined;
let backend: Backend;
let endpoint: Endpoint;

beforeAll(async () => {
  // The sweep would pick up other suites' items here and pay for them.
  await query("DELETE FROM processing_jobs");
  backend = await startBackend(undefined, async (call) => {
    calls.push(call);
    if (!callsOf("generate-outlines").includes(call)) return;
    const hook = before;
    before = undefined;
    await hook?.(call);
  });
  endpoint = (await import("@/app/api/inngest/route")) as unknown as Endpoint;
});
afterAll(() => backend.close());
beforeEach(() => {
  calls.length = 0;
  before = undefined;
  backend.ai.requests.length = 0;
});

/** Slow enough to replay calls during the run. */
const SLOWLY = "-400";
const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.\n\n## Gamma\nThird.";

async function workspaceWithPiece(outline?: string, slowly = SLOWLY) {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey + slowly });
  const id = await newPiece(workspace, workspace, { title: "Peat-free seed mixes" });
  if (outline) await workspace.caller.patch(`/api/content/${id}`, { outline });
  return workspace;
}

async function queue(workspace: User & { topicId: number }, kind: "outline" | "all-content"): Promise<string> {
  const { body } = await workspace.caller.post<{ jobId: string }>(
    `/api/topics/${workspace.topicId}/generate-${kind}-queue`,
  );
  return body.jobId;
}

const untilCalled = (count: number) =>
  eventually(
    async () => backend.ai.requests.length,
    (seen) => seen >= count,
  );

async function ended(jobId: string): Promise<void> {
  await eventually(
    () => query<{ status: string }>("SELECT status::text FROM processing_jobs WHERE id = $1", [jobId]),
    ([job]) => job?.status === "completed",
  );
  await backend.engine.engine.idle();
}

const callsOf = (fn: string) =>
  calls.filter(({ method, url }) => method === "POST" && new URL(url).searchParams.get("fnId")?.endsWith(fn));

async function send({ url, method, headers, body }: EngineCall): Promise<number> {
  const answer = await endpoint.POST(new Request(url, { method, headers, body }), { params: Promise.resolve({}) });
  expect(await answer.text()).not.toContain('"stack":"/');
  return answer.status;
}

/** The SDK looks ten seconds for a step that the function does not have. */
function withUnknownStep(call: EngineCall): EngineCall {
  const url = new URL(call.url);
  url.searchParams.set("stepId", "0".repeat(40));
  return { ...call, url: url.href };
}

/** The intercepted call, and variants that keep the signature valid: only the body is signed. */
function variantsOf(call: EngineCall): EngineCall[] {
  const address = (change: (query: URLSearchParams) => void) => {
    const url = new URL(call.url);
    change(url.searchParams);
    return { ...call, url: url.href };
  };
  const signature = String(call.headers["x-inngest-signature"]);
  return [
    call,
    address((query) => query.delete("stepId")),
    address((query) => query.set("fnId", "content-planner-write-content")),
    address((query) => query.set("fnId", "content-planner-generate-outlines")),
    address((query) => query.append("once", "more")),
    { ...call, body: JSON.stringify(JSON.parse(call.body), null, 2) },
    { ...call, headers: { ...call.headers, "x-inngest-signature": `${signature}&x=1` } },
    { ...call, headers: { ...call.headers, "x-inngest-signature": signature.split("&").reverse().join("&") } },
    { ...call, headers: { ...call.headers, "x-inngest-req-version": "1" } },
  ];
}

async function rowsOf({ id }: User): Promise<unknown> {
  const own = "user_id = $1::uuid";
  const ofPieces = `content_piece_id IN (SELECT id FROM content_pieces WHERE ${own})`;
  return Promise.all(
    Object.entries({
      processing_jobs: own,
      processing_queue: own,
      content_pieces: own,
      content_revisions: ofPieces,
    }).map(([table, condition]) => query(`SELECT t::text FROM ${table} t WHERE ${condition} ORDER BY 1`, [id])),
  );
}

it("pays for an outline once when its call is replayed at once, during its call and after its run", async () => {
  // Slow enough for all replays to arrive during the call.
  const workspace = await workspaceWithPiece(undefined, "-4000");
  const jobId = await queue(workspace, "outline");
  await untilCalled(1);
  const [caught] = callsOf("generate-outlines");
  if (!caught) throw new Error("no call was caught");
  const untouched = await rowsOf(workspace);
  await Promise.all(variantsOf(caught).map(send));
  expect(await rowsOf(workspace)).toEqual(untouched);
  await ended(jobId);
  const after = await rowsOf(workspace);
  const all = [...calls].filter(({ method }) => method === "POST");
  expect(all.length).toBeGreaterThan(1);
  await Promise.all(all.flatMap((call) => [...variantsOf(call), withUnknownStep(call)]).map(send));
  await backend.engine.engine.idle();
  expect(await rowsOf(workspace)).toEqual(after);
  expect(backend.ai.requests).toHaveLength(1);
});

it("pays for each section once when every earlier call is replayed during the next section", async () => {
  const workspace = await workspaceWithPiece(OUTLINE);
  const jobId = await queue(workspace, "all-content");
  for (const section of [1, 2, 3]) {
    await untilCalled(section);
    for (const call of callsOf("write-content").flatMap(variantsOf)) await send(call);
  }
  await ended(jobId);
  const after = await rowsOf(workspace);
  for (const call of callsOf("write-content").flatMap(variantsOf)) await send(call);
  expect(await rowsOf(workspace)).toEqual(after);
  expect(backend.ai.requests).toHaveLength(3);
});

it("pays once when a replay overtakes the engine's own call", async () => {
  const workspace = await workspaceWithPiece(undefined, "-2500");
  let copy: Promise<number> | undefined;
  before = async (call) => {
    copy = send(call);
    await untilCalled(1);
  };
  const jobId = await queue(workspace, "outline");
  await eventually(
    () => query<{ status: string }>("SELECT status::text FROM processing_jobs WHERE id = $1", [jobId]),
    ([job]) => job?.status === "completed",
  );
  expect(await copy).toBe(200);
  backend.engine.engine.wake();
  await ended(jobId);
  const [item] = await query<{ attempts: number }>(
    "SELECT retry_count AS attempts FROM processing_queue WHERE job_id = $1",
    [jobId],
  );
  expect([item?.attempts, backend.ai.requests.length]).toEqual([0, 1]);
});
