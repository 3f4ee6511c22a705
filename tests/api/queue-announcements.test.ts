import { announceChange } from "@/lib/db/announce";
import type { QueueItemOut } from "@/lib/features/work/schema";
import { eventually } from "@/tests/support/backend";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { projectToPublish } from "@/tests/support/publishing-project";
import {
  contentQueueUrl,
  createGate,
  outlineOf,
  outlineQueueUrl,
  type Queued,
  type QueueWorkspace,
  queueBackend,
  status,
  untilAllHeld,
  untilAsked,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// Without the module itself: it would read the environment before the backend is there.
jest.mock("@/lib/db/announce", () => ({ CHANGES: "work", announceChange: jest.fn() }));

const site = suiteBlog();
const backend = queueBackend();

/** When each change of a job's revision was made, in milliseconds. */
beforeAll(async () => {
  await query("DROP TABLE IF EXISTS revision_times");
  await query("CREATE TABLE revision_times (user_id uuid, at double precision, transaction bigint)");
  await query(`CREATE OR REPLACE FUNCTION note_revision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' OR NEW.revision <> OLD.revision THEN
      INSERT INTO revision_times VALUES (NEW.user_id, extract(epoch FROM clock_timestamp()) * 1000, txid_current());
    END IF; RETURN NEW; END $$`);
  await query(`CREATE TRIGGER note_revision AFTER INSERT OR UPDATE ON processing_jobs
    FOR EACH ROW EXECUTE FUNCTION note_revision()`);
});
afterAll(async () => {
  await query("DROP TRIGGER note_revision ON processing_jobs");
  await query("DROP FUNCTION note_revision");
  await query("DROP TABLE revision_times");
});

let announcements: { userId: string; at: number }[];
beforeEach(() => {
  announcements = [];
  jest.mocked(announceChange).mockImplementation((userId) => {
    announcements.push({ userId, at: performance.timeOrigin + performance.now() });
  });
});

/** Each change was announced before the next one was made, or soon after where several calls work at once. */
async function expectAnnounced({ id }: { id: string }, changes: number, { within = 0 } = {}) {
  const rows = await query<{ at: number }>(
    "SELECT max(at) AS at FROM revision_times WHERE user_id = $1 GROUP BY transaction ORDER BY 1",
    [id],
  );
  const isAnnounced = ({ at }: { at: number }, n: number) =>
    announcements.some(
      (each) => each.userId === id && each.at >= at && each.at < Math.max(rows[n + 1]?.at ?? at + 1_000, at + within),
    );
  expect(rows.map(isAnnounced)).toEqual(rows.map(() => true));
  expect(rows.length).toBeGreaterThanOrEqual(changes);
}

const item = async (workspace: QueueWorkspace, verb: string) => {
  const [first] = (await status(workspace)).outlineQueue;
  return workspace.caller.post<QueueItemOut>(`/api/queue/items/${first?.id}/${verb}`);
};

it("announces every change of a text's job, from its start through each section to its end", async () => {
  const workspace = await workspaceWithPieces(backend, 1, outlineOf(3));
  const { body } = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
  await untilJobEnded(workspace, body.jobId);
  // The start, and a claim, a section and a save of each call.
  await expectAnnounced(workspace, 10);
});

it("announces a failure, its retry, and its dismissal", async () => {
  const workspace = await workspaceWithPieces(backend, 1);
  backend.ai.faults.matching('"title": "Piece A', "filtered");
  const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
  await untilJobEnded(workspace, body.jobId);
  expect((await item(workspace, "retry")).status).toBe(202);
  await untilJobEnded(workspace, body.jobId);
  await workspace.caller.post(`/api/queue/jobs/${body.jobId}/retry`, {});
  await untilJobEnded(workspace, body.jobId);
  await workspace.caller.post("/api/queue/dismiss-failed", {});
  await expectAnnounced(workspace, 10);
});

it.each<[string, (workspace: QueueWorkspace, jobId: string) => Promise<unknown>]>([
  ["the cancellation of an item", (workspace) => item(workspace, "cancel")],
  ["the cancellation of a job", ({ caller }, jobId) => caller.post(`/api/queue/jobs/${jobId}/cancel`, {})],
  ["the deletion of a piece", ({ caller, pieces }) => caller.delete(`/api/content/${pieces[0]}`)],
])("announces %s while its call is under way", async (_what, end) => {
  const workspace = await workspaceWithPieces(backend, 1);
  const gate = createGate();
  backend.ai.faults.next([{ kind: "held", until: gate.until }]);
  const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
  await untilAsked(backend, 1);
  await end(workspace, body.jobId);
  await expectAnnounced(workspace, 3);
  gate.open();
  await untilJobEnded(workspace, body.jobId);
});

it("announces what the sweep cancels", async () => {
  const workspace = await workspaceWithPieces(backend, 1);
  await workspace.caller.post("/api/queue/pause");
  const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
  await query("UPDATE processing_jobs SET cancel_requested_at = now() WHERE id = $1", [body.jobId]);
  const { sweep } = await import("@/lib/features/work/steps");
  await sweep();
  await expectAnnounced(workspace, 2);
});

it("announces a pause, a hold and their ends", async () => {
  const workspace = await workspaceWithPieces(backend, 1);
  const { id, caller } = workspace;
  const since = (mark: number) => announcements.slice(mark).filter(({ userId }) => userId === id);
  await caller.post("/api/queue/pause");
  expect(since(0)).toHaveLength(1);
  await caller.post("/api/queue/resume");
  expect(since(1)).not.toEqual([]);
  backend.ai.faults.mode = "unauthorized";
  await caller.post<Queued>(outlineQueueUrl(workspace));
  await untilAllHeld(workspace);
  const held = announcements.length;
  await caller.patch("/api/user/settings", { openaiApiKey: `${backend.ai.apiKey}-1` });
  await eventually(
    async () => since(held),
    (all) => all.length > 0,
  );
});

it("announces every change of a publishing job", async () => {
  const project = await projectToPublish(site, 3);
  announcements = [];
  const { jobId } = (await project.start("publish_all")).body;
  expect(announcements).toContainEqual({ userId: project.id, at: expect.any(Number) });
  const ended = () => query("SELECT 1 FROM processing_jobs WHERE id = $1 AND completed_at IS NOT NULL", [jobId]);
  await eventually(ended, (rows) => rows.length > 0);
  await expectAnnounced(project, 3, { within: 50 });
});
