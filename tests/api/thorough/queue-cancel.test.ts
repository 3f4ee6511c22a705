import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newWorkspace } from "@/tests/support/factories";
import {
  createGate,
  itemRows,
  outlineQueueUrl,
  type Queued,
  type QueueWorkspace,
  untilAllWaiting,
  untilAsked,
  untilAsleep,
  untilJobEnded,
} from "@/tests/support/queue-workspace";
import { countStatements } from "@/tests/support/statements";

// What cancelling or deleting a long queue costs: statements, events, and calls between the app and the engine.

type Steps = typeof import("@/lib/features/work/steps");

jest.mock("@/lib/features/work/steps", () => {
  const steps = jest.requireActual<Steps>("@/lib/features/work/steps");
  return { ...steps, endItemOfRun: jest.fn(steps.endItemOfRun) };
});

const AT_WORK = 4;
/** A thousand runs begin and end; a busy machine needs a while. */
const LONG_MS = 90_000;

let backend: Backend;
/** The engine's calls by function. */
const calls = new Map<string, number>();

beforeAll(async () => {
  backend = await startBackend(undefined, ({ url, method }) => {
    const name = new URL(url).searchParams.get("fnId")?.replace("content-planner-", "") ?? method;
    calls.set(name, (calls.get(name) ?? 0) + 1);
  });
});
afterAll(() => backend.close());
afterEach(() => {
  backend.ai.faults.clear();
  jest.restoreAllMocks();
});

/** A topic with this many pieces, all queued for an outline; `closed` makes every run wait for the provider. */
async function queueOf(count: number, { closed = false } = {}) {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title)
     SELECT $1, $2, $3, 'Piece ' || n FROM generate_series(1, $4) n`,
    [workspace.id, workspace.projectId, workspace.topicId, count],
  );
  if (closed) {
    await query(
      `INSERT INTO provider_waits (user_id, level, limited_since, limited_at, not_before)
       VALUES ($1, 1, now(), now(), now() + interval '10 hours')`,
      [workspace.id],
    );
  }
  const mine: QueueWorkspace = { ...workspace, pieces: [] };
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  return { mine, jobId: body.jobId };
}

/** A queue whose first items are in a call to the provider, until `open`; all others wait in the engine. */
async function busyQueueOf(count: number) {
  const { until, open } = createGate();
  backend.ai.faults.mode = { kind: "held", until };
  backend.ai.requests.length = 0;
  const queue = await queueOf(count);
  await untilAsked(backend, AT_WORK);
  await eventually(
    async () => backend.engine.engine.status(),
    ({ waiting }) => waiting === count - AT_WORK,
  );
  return { ...queue, open };
}

/** Waits until the engine has no run left. */
function untilIdle() {
  return eventually(
    async () => backend.engine.engine.status(),
    ({ runs }) => runs.live === 0,
    LONG_MS,
  );
}

describe("cancelling a thousand queued items", () => {
  it(
    "is one statement and no event, and each run ends in one call when it begins",
    async () => {
      const { mine, jobId, open } = await busyQueueOf(1000);
      const ingest = jest.spyOn(backend.engine.engine, "ingest");
      const cancel = jest.spyOn(backend.engine.engine, "cancel");
      calls.clear();
      const { statements } = await countStatements(() => mine.caller.post(`/api/queue/jobs/${jobId}/cancel`));
      expect(statements.filter((text) => text.includes("SET status = 'cancelled'"))).toHaveLength(1);
      open();
      await untilIdle();
      expect(ingest).not.toHaveBeenCalled();
      expect(cancel).not.toHaveBeenCalled();
      expect([calls.get("generate-outlines"), calls.get("end-items")]).toEqual([1000 - AT_WORK, undefined]);
      const { job } = await untilJobEnded(mine, jobId);
      expect(job).toMatchObject({ status: "cancelled", completedItems: AT_WORK, cancelledItems: 1000 - AT_WORK });
      const last = (await itemRows(mine)).at(-1);
      expect(backend.engine.engine.runsOfEvent(`item-${last?.id}-1`)).toMatchObject([
        { status: "Completed", output: { status: "cancelled" }, executions: 1 },
      ]);
    },
    LONG_MS,
  );
});

describe("runs that are cancelled in the engine by the hundred", () => {
  it("end their items four at a time, in one call each", async () => {
    const { mine } = await queueOf(30, { closed: true });
    await untilAllWaiting(mine);
    await untilAsleep(backend);
    const ends = { atOnce: 0, most: 0 };
    const { until, open } = createGate();
    const { endItemOfRun: end } = jest.requireActual<Steps>("@/lib/features/work/steps");
    // Not imported before the backend has set the environment.
    const { endItemOfRun } = await import("@/lib/features/work/steps");
    jest.mocked(endItemOfRun).mockImplementation(async (...run) => {
      ends.most = Math.max(ends.most, ++ends.atOnce);
      await until;
      ends.atOnce--;
      return end(...run);
    });
    calls.clear();
    for (const { id } of await itemRows(mine)) {
      for (const run of backend.engine.engine.runsOfEvent(`item-${id}-1`)) backend.engine.engine.cancel(run);
    }
    await eventually(
      async () => ends.atOnce,
      (count) => count === 4,
    );
    open();
    await untilIdle();
    expect([calls.get("generate-outlines"), calls.get("end-items"), ends.most]).toEqual([undefined, 30, 4]);
    expect((await itemRows(mine)).every(({ status }) => status === "cancelled")).toBe(true);
  });
});
