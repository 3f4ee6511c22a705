import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  createGate,
  fastForward,
  makeDue,
  outlineQueueUrl,
  type Queued,
  type QueueWorkspace,
  queueBackend,
  untilAllWaiting,
  untilAsked,
  untilAsleep,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// A call may take ten minutes; its leases are shorter, and live as long as it does.

const backend = queueBackend();

const HALF_A_MINUTE = 30_000;
const real = globalThis.setInterval;

/** What the app does every half minute, it does here every tenth of a second. */
beforeEach(() => {
  jest
    .spyOn(globalThis, "setInterval")
    .mockImplementation(((work: () => void, ms: number) => real(work, ms === HALF_A_MINUTE ? 100 : ms)) as never);
});
afterEach(() => jest.restoreAllMocks());

/** Half a minute passes for the rows of this user, and the app renews what it still holds. */
async function halfAMinute({ id }: QueueWorkspace): Promise<void> {
  await query("UPDATE leases SET until = until - interval '30 seconds' WHERE user_id = $1", [id]);
  await query("UPDATE provider_waits SET taker_until = taker_until - interval '30 seconds' WHERE user_id = $1", [id]);
  const before = await ends(id);
  await eventually(
    () => ends(id),
    (now) => [...before].every(([what, end]) => !now.has(what) || Number(now.get(what)) > Number(end)),
  );
}

/** When this user's leases and turn end. */
async function ends(userId: string): Promise<Map<string, Date>> {
  const rows = await query<{ what: string; until: Date }>(
    `SELECT kind || subject AS what, until FROM leases WHERE user_id = $1
     UNION ALL SELECT 'turn', taker_until FROM provider_waits WHERE user_id = $1 AND taker_until IS NOT NULL`,
    [userId],
  );
  return new Map(rows.map(({ what, until }) => [what, until]));
}

it("pays once for a call of eight minutes, with a sweep every minute", async () => {
  const { sweep } = await import("@/lib/features/work/steps");
  const mine = await workspaceWithPieces(backend, 1);
  const { until, open } = createGate();
  backend.ai.faults.next([{ kind: "held", until }]);
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await untilAsked(backend, 1);
  for (let minute = 1; minute <= 8; minute++) {
    await halfAMinute(mine);
    await halfAMinute(mine);
    await sweep();
  }
  open();
  const { job } = await untilJobEnded(mine, body.jobId);
  expect(job).toMatchObject({ status: "completed", completedItems: 1 });
  expect(backend.ai.requests).toHaveLength(1);
});

it("lets the others wait for a turn of eight minutes", async () => {
  const mine = await workspaceWithPieces(backend, 3);
  backend.ai.faults.mode = { kind: "rate-limit" };
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  await untilAllWaiting(mine);
  await untilAsleep(backend);
  backend.ai.faults.clear();
  const asked = backend.ai.requests.length;
  const { until, open } = createGate();
  backend.ai.faults.next([{ kind: "held", until }]);
  await makeDue(backend, mine);
  await untilAsked(backend, asked + 1);
  for (let half = 1; half <= 16; half++) {
    await halfAMinute(mine);
    await query("UPDATE processing_queue SET not_before = now() WHERE user_id = $1 AND not_before > now()", [mine.id]);
    backend.engine.engine.wake();
  }
  expect(backend.ai.requests).toHaveLength(asked + 1);
  open();
  await fastForward(backend, mine, body.jobId);
  expect(backend.ai.requests).toHaveLength(asked + 3);
});

it.each(["ideas", "keywords", "writing", "reply"])(
  "holds its lease of %s as long as the provider takes",
  async (kind) => {
    const mine = await workspaceWithPieces(backend, 1);
    await mine.caller.post(`/api/topics/${mine.topicId}/keywords`, { keyword: "watering" });
    await mine.caller.post("/api/chat/start", {});
    const { until, open } = createGate();
    backend.ai.faults.next([{ kind: "held", until }]);
    const paths: Record<string, [string, unknown?]> = {
      ideas: [`/api/projects/${mine.projectId}/generate-content-ideas`, { topicId: mine.topicId, ideasPerKeyword: 1 }],
      keywords: [`/api/topics/${mine.topicId}/suggest-keywords`],
      writing: [`/api/content/${mine.pieces[0]}/generate-outline`],
      reply: ["/api/chat/message", { message: "Hello" }],
    };
    const [path = "", sent] = paths[kind] ?? [];
    const call = mine.caller.post(path, sent);
    await untilAsked(backend, 1);
    for (let half = 1; half <= 16; half++) await halfAMinute(mine);
    const held = await query("SELECT kind FROM leases WHERE user_id = $1 AND until > now()", [mine.id]);
    expect(held).toEqual([{ kind }]);
    open();
    expect((await call).status).toBe(200);
  },
);
