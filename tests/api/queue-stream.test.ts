import type { QueueChanges } from "@/lib/features/work/schema";
import { createCaller } from "@/tests/support/app";
import { type AppProcess, startAppProcess } from "@/tests/support/app-process";
import { eventually } from "@/tests/support/backend";
import { holdTransaction, query } from "@/tests/support/db";
import { newUser, PASSWORD, type User } from "@/tests/support/factories";
import { followQueue } from "@/tests/support/queue-stream";
import {
  outlineQueueUrl,
  type Queued,
  queueBackend,
  status,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";
import { countStatements } from "@/tests/support/statements";

const backend = queueBackend();

const hasEnded = ({ jobs }: QueueChanges) => jobs.some(({ completedAt }) => completedAt !== null);
const pause = ({ caller }: Pick<User, "caller">) => caller.post("/api/queue/pause");
const quiet = () => new Promise((resolve) => setTimeout(resolve, 600));

/** A user with a job of two outlines that are written. */
async function written() {
  const workspace = await workspaceWithPieces(backend, 2);
  const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
  await untilJobEnded(workspace, body.jobId);
  const [item] = (await status(workspace)).outlineQueue;
  return { ...workspace, jobId: body.jobId, itemId: item?.id };
}

/** A second session of the user. */
async function secondSession({ username }: User) {
  const caller = createCaller();
  await caller.post("/api/login", { username, password: PASSWORD });
  return caller;
}

it("sends the whole status, then what changes, until nothing does", async () => {
  const workspace = await workspaceWithPieces(backend, 2);
  const stream = await followQueue(workspace.caller);
  expect(await stream.next()).toMatchObject({ whole: true, jobs: [], outlineQueue: [] });
  await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
  const { now: _, whole, ...last } = await stream.until(hasEnded);
  const { now: __, ...all } = await status(workspace);
  expect(whole).toBe(false);
  expect(last).toEqual(all);
  await stream.close();
});

it("answers callers who accept no stream with what has changed until now", async () => {
  const { caller, jobId } = await written();
  const { body } = await caller.get<QueueChanges>(`/api/queue/events?since=${new Date().toISOString()}`);
  expect(body).toMatchObject({ whole: false, jobs: [{ id: jobId }] });
  expect((await caller.get("/api/queue/events?since=yesterday")).status).toBe(400);
});

describe("a stream from a time on", () => {
  it("sends the rows alone that have changed since", async () => {
    const { caller, jobId } = await written();
    await query("UPDATE processing_jobs SET updated_at = now() - interval '1 minute' WHERE id = $1", [jobId]);
    await query(
      `UPDATE processing_queue SET updated_at = now() - interval '1 minute', completed_at = now() - interval '1 minute'
       WHERE job_id = $1`,
      [jobId],
    );
    const stream = await followQueue(caller, new Date(Date.now() - 30_000).toISOString());
    const changes = await stream.next();
    expect(changes).toMatchObject({ whole: false, jobs: [], outlineQueue: [], total: { jobs: { finished: 1 } } });
    await stream.close();
    const earlier = await followQueue(caller, new Date(Date.now() - 90_000).toISOString());
    expect(await earlier.next()).toMatchObject({ whole: false, jobs: [{ id: jobId }], outlineQueue: [{}, {}] });
    await earlier.close();
  });

  it("has everything that happened while nobody followed", async () => {
    const workspace = await workspaceWithPieces(backend, 2);
    const first = await followQueue(workspace.caller);
    const { now } = (await first.next()) as QueueChanges;
    await first.close();
    const { body } = await workspace.caller.post<Queued>(outlineQueueUrl(workspace));
    await untilJobEnded(workspace, body.jobId);
    const second = await followQueue(workspace.caller, now);
    const ended = { id: body.jobId, status: "completed" };
    expect(await second.next()).toMatchObject({ whole: false, jobs: [ended], outlineQueue: [{}, {}] });
    await second.close();
  });

  it("has a row whose transaction was committed late", async () => {
    const { caller, id, itemId } = await written();
    await query("UPDATE processing_queue SET completed_at = now() - interval '1 hour' WHERE id = $1", [itemId]);
    const late = await holdTransaction(
      "UPDATE processing_queue SET completed_at = now(), note = 'Late.' WHERE id = $1",
      [itemId],
    );
    const stream = await followQueue(caller);
    await stream.next();
    await late.releaseLock();
    await query("SELECT pg_notify('work', $1)", [id]);
    const { outlineQueue, whole } = await stream.until((changes) => changes.outlineQueue.some(({ note }) => note));
    expect({ whole, notes: outlineQueue.map(({ note }) => note) }).toEqual({
      whole: false,
      notes: expect.arrayContaining(["Late."]),
    });
    await stream.close();
  });

  it("is whole when it is too long ago to know what is gone", async () => {
    const { caller } = await written();
    const stream = await followQueue(caller, new Date(Date.now() - 301_000).toISOString());
    expect(await stream.next()).toMatchObject({ whole: true });
    await stream.close();
  });
});

describe("the whole status comes", () => {
  it("when what all items wait for has changed, and to a reader who does not know it", async () => {
    const workspace = await written();
    const stream = await followQueue(workspace.caller);
    const { now } = (await stream.next()) as QueueChanges;
    await pause(workspace);
    expect(await stream.next()).toMatchObject({ whole: true, pausedAt: expect.any(String), jobs: [{}] });
    await stream.close();
    const back = await followQueue(workspace.caller, now);
    expect(await back.next()).toMatchObject({ whole: true });
    await back.close();
  });

  it("when a job is gone with its topic", async () => {
    const { caller, topicId } = await written();
    const stream = await followQueue(caller);
    expect(await stream.next()).toMatchObject({ jobs: [{}] });
    await caller.delete(`/api/topics/${topicId}`);
    expect(await stream.next()).toMatchObject({ whole: true, jobs: [], outlineQueue: [] });
    await stream.close();
  });

  it("when more has changed than a part holds", async () => {
    const { caller, id, jobId, topicId } = await written();
    const stream = await followQueue(caller, new Date().toISOString());
    await stream.next();
    await query(
      `INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, status, completed_at)
       SELECT 'outline_generation', $1, $2, $3, gen_random_uuid(), 'completed', now() FROM generate_series(1, 100)`,
      [jobId, id, topicId],
    );
    await query("SELECT pg_notify('work', $1)", [id]);
    expect(await stream.next()).toMatchObject({ whole: true });
    await stream.close();
  });
});

describe("between processes", () => {
  let other: AppProcess;
  beforeAll(async () => {
    other = await startAppProcess();
  });
  afterAll(() => other.close());

  it("a change in one is read from the other within a second", async () => {
    const user = await newUser();
    const stream = await followQueue(user.caller);
    await stream.next();
    const elsewhere = other.callerOf(user);
    await pause({ caller: elsewhere });
    const began = Date.now();
    expect(await stream.next()).toMatchObject({ pausedAt: expect.any(String) });
    expect(Date.now() - began).toBeLessThan(1_000);
    await stream.close();
  });

  it("another user hears nothing", async () => {
    const [user, stranger] = [await newUser(), await newUser()];
    const stream = await followQueue(stranger.caller);
    await stream.next();
    const { statements } = await countStatements(async () => {
      await pause({ caller: other.callerOf(user) });
      await quiet();
    });
    expect(statements).toEqual([]);
    await stream.close();
  });
});

describe("a stream ends", () => {
  it("for the fifth of its user, the oldest first", async () => {
    const [user, stranger] = [await newUser(), await newUser()];
    const other = await followQueue(stranger.caller);
    const streams = [];
    for (let n = 0; n < 5; n++) streams.push(await followQueue(user.caller));
    await streams[0]?.ended();
    for (const stream of [...streams.slice(1), other]) expect(await stream.next()).toMatchObject({ whole: true });
    await pause(user);
    for (const stream of streams.slice(1)) expect(await stream.next()).toMatchObject({ pausedAt: expect.any(String) });
    await Promise.all([...streams, other].map((stream) => stream.close()));
  });

  it.each<[string, (user: User) => Promise<unknown>]>([
    ["its user signs out", ({ caller }) => caller.post("/api/logout", {})],
    ["another session ends all others", async (user) => (await secondSession(user)).delete("/api/user/sessions")],
    [
      "the password is changed elsewhere",
      async (user) =>
        (await secondSession(user)).patch("/api/user", { currentPassword: PASSWORD, password: `${PASSWORD} two` }),
    ],
    [
      "the account is deleted",
      ({ caller, username }) => caller.call("DELETE", "/api/user", { confirm: username, password: PASSWORD }),
    ],
  ])("when %s", async (_what, end) => {
    const user = await newUser();
    const stream = await followQueue(user.caller);
    await stream.next();
    await end(user);
    await stream.ended();
  });

  it("at once for those that follow it, however many come in a moment", async () => {
    const { caller } = await newUser();
    for (let n = 0; n < 20; n++) {
      const stream = await followQueue(caller);
      expect(stream.status).toBe(200);
      if (n % 2 === 0) await stream.close();
    }
  });

  it("when the database's connection is lost, and a new one comes back", async () => {
    const user = await newUser();
    const streams = [await followQueue(user.caller), await followQueue((await newUser()).caller)];
    const cut = await query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN work' AND datname = current_database()",
    );
    expect(cut).toHaveLength(1);
    for (const stream of streams) await stream.ended();
    expect((await followQueue(user.caller)).status).toBe(204);
    const stream = await eventually(
      () => followQueue(user.caller),
      ({ status }) => status === 200,
    );
    await stream.next();
    await pause(user);
    expect(await stream.next()).toMatchObject({ pausedAt: expect.any(String) });
    await stream.close();
  });
});

it("reads a change once for a reader who takes none for a while", async () => {
  const user = await newUser();
  const { body } = await user.caller.respond("GET", "/api/queue/events", undefined, { accept: "text/event-stream" });
  const { statements } = await countStatements(async () => {
    for (let n = 0; n < 8; n++) {
      await query("SELECT pg_notify('work', $1)", [user.id]);
      await new Promise((resolve) => setTimeout(resolve, 260));
    }
  });
  expect(statements.filter((text) => !text.includes("pg_notify"))).toEqual([]);
  const reader = body?.getReader();
  await reader?.read();
  await reader?.read();
  await reader?.cancel();
});

it("asks the database nothing while nothing happens", async () => {
  const users = await Promise.all(Array.from({ length: 50 }, newUser));
  const streams = await Promise.all(users.flatMap(({ caller }) => [0, 1, 2, 3].map(() => followQueue(caller))));
  for (const stream of streams) expect(await stream.next()).toMatchObject({ whole: true });
  expect((await countStatements(quiet)).statements).toEqual([]);
  await Promise.all(streams.map((stream) => stream.close()));
});

it("answers 204 where the database's own address is not known", async () => {
  const user = await newUser();
  const without = await startAppProcess({ DIRECT_DATABASE_URL: "" });
  const { status, headers } = await without.callerOf(user).respond("GET", "/api/queue/events", undefined, {
    accept: "text/event-stream",
  });
  expect([status, headers.get("cache-control")]).toEqual([204, "no-store"]);
  await without.close();
});
