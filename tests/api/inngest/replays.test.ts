import { type Backend, type EngineCall, eventually, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newDesk, newPiece, type Person } from "@/tests/support/factories";

// A signed call that somebody caught and sends again costs nothing and changes nothing, whenever it comes (S18, S23).

type Door = { POST: (request: Request, context: unknown) => Promise<Response> };

const calls: EngineCall[] = [];
/** Runs between the engine's call and the app, once. */
let before: ((call: EngineCall) => Promise<void>) | undefined;
let backend: Backend;
let door: Door;

beforeAll(async () => {
  // What other suites left would be swept up here, and paid for.
  await query("DELETE FROM processing_jobs");
  backend = await startBackend(undefined, async (call) => {
    calls.push(call);
    if (!callsOf("generate-outlines").includes(call)) return;
    const hook = before;
    before = undefined;
    await hook?.(call);
  });
  door = (await import("@/app/api/inngest/route")) as unknown as Door;
});
afterAll(() => backend.close());
beforeEach(() => {
  calls.length = 0;
  before = undefined;
  backend.ai.requests.length = 0;
});

/** Slow enough that there is a middle. */
const SLOWLY = "-400";
const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.\n\n## Gamma\nThird.";

async function deskWithPiece(outline?: string, slowly = SLOWLY) {
  const desk = await newDesk();
  await desk.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey + slowly });
  const id = await newPiece(desk, desk, { title: "Peat-free seed mixes" });
  if (outline) await desk.caller.patch(`/api/content/${id}`, { outline });
  return desk;
}

async function queue(desk: Person & { topicId: number }, kind: "outline" | "all-content"): Promise<string> {
  const { body } = await desk.caller.post<{ jobId: string }>(`/api/topics/${desk.topicId}/generate-${kind}-queue`);
  return body.jobId;
}

const asked = (count: number) =>
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
  const answer = await door.POST(new Request(url, { method, headers, body }), { params: Promise.resolve({}) });
  expect(await answer.text()).not.toContain('"stack":"/');
  return answer.status;
}

/** The same call as it was caught, and as it can be bent without breaking its signature: only the body is signed. */
function bent(call: EngineCall): EngineCall[] {
  const address = (change: (query: URLSearchParams) => void) => {
    const url = new URL(call.url);
    change(url.searchParams);
    return { ...call, url: url.href };
  };
  const signature = String(call.headers["x-inngest-signature"]);
  return [
    call,
    address((query) => query.delete("stepId")),
    address((query) => query.set("stepId", "0".repeat(40))),
    address((query) => query.set("fnId", "content-planner-write-content")),
    address((query) => query.set("fnId", "content-planner-generate-outlines")),
    address((query) => query.append("once", "more")),
    { ...call, body: JSON.stringify(JSON.parse(call.body), null, 2) },
    { ...call, headers: { ...call.headers, "x-inngest-signature": `${signature}&x=1` } },
    { ...call, headers: { ...call.headers, "x-inngest-signature": signature.split("&").reverse().join("&") } },
    { ...call, headers: { ...call.headers, "x-inngest-req-version": "1" } },
  ];
}

async function rowsOf({ id }: Person): Promise<unknown> {
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

it("pays an outline once, replayed at once, after its step and after its run", async () => {
  // Long enough for all copies of the call to come in its middle.
  const desk = await deskWithPiece(undefined, "-4000");
  const jobId = await queue(desk, "outline");
  await asked(1);
  const [caught] = callsOf("generate-outlines");
  if (!caught) throw new Error("no call was caught");
  const untouched = await rowsOf(desk);
  expect(await Promise.all(bent(caught).map(send))).toEqual(bent(caught).map(() => 409));
  expect(await rowsOf(desk)).toEqual(untouched);

  await ended(jobId);
  const after = await rowsOf(desk);
  const all = [...calls].filter(({ method }) => method === "POST");
  expect(all.length).toBeGreaterThan(2);
  for (const call of all) {
    for (const status of await Promise.all(bent(call).map(send))) expect(status).toBe(409);
  }
  await backend.engine.engine.idle();
  expect(await rowsOf(desk)).toEqual(after);
  expect(backend.ai.requests).toHaveLength(1);
});

it("pays each section once, with every earlier call replayed while the next section is written", async () => {
  const desk = await deskWithPiece(OUTLINE);
  const jobId = await queue(desk, "all-content");
  for (const section of [1, 2, 3]) {
    await asked(section);
    for (const call of callsOf("write-content").flatMap(bent)) expect(await send(call)).toBe(409);
  }
  await ended(jobId);
  const after = await rowsOf(desk);
  for (const call of callsOf("write-content").flatMap(bent)) expect(await send(call)).toBe(409);
  expect(await rowsOf(desk)).toEqual(after);
  expect(backend.ai.requests).toHaveLength(3);
});

it("pays once when an equal call overtakes the engine's own", async () => {
  // Slower than the engine's next try.
  const desk = await deskWithPiece(undefined, "-2500");
  let copy: Promise<number> | undefined;
  before = async (call) => {
    copy = send(call);
    await asked(1);
  };
  const jobId = await queue(desk, "outline");
  await ended(jobId);
  expect(await copy).toBe(206);
  expect(backend.ai.requests).toHaveLength(1);
  expect(await attemptsOf(jobId)).toBe(0);
});

it("goes on when the process died between its claim and its answer", async () => {
  const desk = await deskWithPiece();
  before = async (call) => {
    const { event, ctx } = JSON.parse(call.body) as {
      event: { data: { itemId: string; dispatch: string } };
      ctx: { run_id: string };
    };
    const { isFirst } = await import("@/lib/limits/once");
    const { claimItem } = await import("@/lib/features/jobs/sql/items");
    const signature = new URLSearchParams(call.headers["x-inngest-signature"]).get("s");
    expect(await isFirst(`inngest ${signature}`, 11 * 60)).toBe(true);
    const run = { ...event.data, jobType: "outline_generation", runId: ctx.run_id } as const;
    expect(await claimItem(run)).toHaveProperty("id");
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  };
  const jobId = await queue(desk, "outline");
  await ended(jobId);
  const [lost, again] = callsOf("generate-outlines");
  expect(again?.body).toBe(lost?.body);
  expect(again?.headers["x-inngest-signature"]).not.toBe(lost?.headers["x-inngest-signature"]);
  expect(backend.ai.requests).toHaveLength(1);
  expect(await attemptsOf(jobId)).toBe(0);
});

async function attemptsOf(jobId: string): Promise<number | undefined> {
  const [item] = await query<{ attempts: number }>(
    "SELECT retry_count AS attempts FROM processing_queue WHERE job_id = $1",
    [jobId],
  );
  return item?.attempts;
}

it("remembers a call for longer than its signature counts", async () => {
  // Those of other suites are on their way out.
  await query("DELETE FROM rate_limits WHERE key LIKE 'once:%'");
  const jobId = await queue(await deskWithPiece(), "outline");
  await ended(jobId);
  const [row] = await query<{ seconds: number }>(
    "SELECT min(extract(epoch FROM expires_at - now()))::float8 AS seconds FROM rate_limits WHERE key LIKE 'once:%'",
  );
  // Five minutes before its time to five minutes after it.
  expect(row?.seconds).toBeGreaterThan(10 * 60);
  expect(row?.seconds).toBeLessThanOrEqual(11 * 60);
});
