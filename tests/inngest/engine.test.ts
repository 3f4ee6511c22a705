import { eventually } from "@/tests/support/backend";
import { type JobSeen, newTopicOfPieces, queueJob, type TopicOfPieces } from "@/tests/support/http-caller";
import { type InngestApp, startInngestApp } from "@/tests/support/inngest-app";
import { quietSdk } from "@/tests/support/inngest-contract";

// The product on an Inngest server that is not ours to look into (npm run test:inngest): the main job, and what happens to it
// when the engine, its network or the app fails. Whatever the engine forgets, our rows bring everything back.

/** A real server waits 15 seconds and more before it repeats a call, and the app a minute before it suspects a loss. */
const PATIENCE_MS = 240_000;
jest.setTimeout(PATIENCE_MS + 60_000);

/** A port on which no program listens. */
const NOBODY = 1;
const SECTIONS = ["Alpha", "Beta"];
const OUTLINE = SECTIONS.map((name) => `## ${name}\nWhat it says.`).join("\n\n");

let app: InngestApp;
beforeAll(async () => {
  app = await startInngestApp();
}, 300_000);
afterAll(() => app.close());
beforeEach(() => {
  quietSdk();
  app.ai.requests.length = 0;
});
afterEach(() => {
  app.ai.texts.length = 0;
  app.ai.faults.clear();
});

async function queueContent(topic: TopicOfPieces): Promise<{ jobId: string; message: string }> {
  return app.call("POST", `/api/topics/${topic.topicId}/generate-all-content-queue`);
}

async function untilEnded(jobId: string): Promise<JobSeen> {
  // The app itself may be away for a while.
  const read = () => queueJob(app.call, jobId).catch(() => undefined);
  const job = await eventually(read, (seen) => Boolean(seen?.completedAt), PATIENCE_MS);
  if (!job) throw new Error("The job is gone.");
  return job;
}

/** Every piece has its text, written by the AI once. */
async function expectWritten({ pieces }: TopicOfPieces): Promise<void> {
  for (const id of pieces) {
    const { body } = await app.call<{ body: string }>("GET", `/api/content/${id}`);
    expect(body.match(/^## .+$/gm)).toEqual(SECTIONS.map((name) => `## ${name}`));
    const revisions = await app.call<{ author: string }[]>("GET", `/api/content/${id}/revisions`);
    expect(revisions.filter(({ author }) => author === "ai")).toHaveLength(1);
  }
}

/** Holds the provider's answers until the returned function is called. */
function holdProvider(): () => void {
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  app.ai.texts.push(...Array.from({ length: 200 }, () => ({ until })));
  return open;
}

const untilAsked = (count: number) =>
  eventually(
    async () => app.ai.requests.length,
    (asked) => asked >= count,
    PATIENCE_MS,
  );

/** Writes pieces while `fault` happens with the first answers held, and checks that each was completed once. */
async function writeDuring(name: string, count: number, fault: (jobId: string) => Promise<void>): Promise<JobSeen> {
  const topic = await newTopicOfPieces(app.call, name, count, { outline: OUTLINE });
  const open = holdProvider();
  const { jobId } = await queueContent(topic);
  await untilAsked(1);
  await fault(jobId);
  open();
  const job = await untilEnded(jobId);
  expect(job).toMatchObject({ status: "completed", completedItems: count, failedItems: 0, cancelledItems: 0 });
  await expectWritten(topic);
  return job;
}

it("leads from titles to posts: outlines, texts and publishing, each once", async () => {
  const topic = await newTopicOfPieces(app.call, "The main job", 13, {});
  const { jobId } = await app.call<{ jobId: string }>("POST", `/api/topics/${topic.topicId}/generate-outline-queue`);
  expect(await untilEnded(jobId)).toMatchObject({ status: "completed", completedItems: 13 });
  expect(app.ai.requests).toHaveLength(13);
  const writing = await queueContent(topic);
  expect(await untilEnded(writing.jobId)).toMatchObject({ status: "completed", completedItems: 13 });
  const url = `/api/projects/${topic.projectId}/publishing-jobs`;
  await app.call("POST", url, { verb: "publish_all" });
  const read = async () => (await app.call<{ job: JobSeen }>("GET", url)).job;
  const job = await eventually(read, ({ completedAt }) => completedAt !== null, PATIENCE_MS);
  expect(job).toMatchObject({ status: "completed", completedItems: 13, failedItems: 0 });
  expect(app.site.posts().map(({ status }) => status)).toEqual(Array(13).fill("publish"));
});

it("begins what was queued while the engine could not be reached once it is back", async () => {
  const topic = await newTopicOfPieces(app.call, "Queued while the engine is away", 3, { outline: OUTLINE });
  await app.toEngine.cut();
  const { jobId, message } = await queueContent(topic);
  expect(message).toMatch(/The job engine is away; the work begins when it is back\.$/);
  await app.toEngine.restore();
  expect(await untilEnded(jobId)).toMatchObject({ status: "completed", completedItems: 3 });
  await expectWritten(topic);
  expect(app.ai.requests).toHaveLength(3 * SECTIONS.length);
});

it("pays once for what the engine never heard the answer of", async () => {
  await writeDuring("Answers that are lost", 3, async () => app.toApp.loseAnswers("/api/inngest", 3));
  expect(app.ai.requests).toHaveLength(3 * SECTIONS.length);
});

it("goes on when the engine could not reach the app for a while", async () => {
  const topic = await newTopicOfPieces(app.call, "The app is out of reach", 3, { outline: OUTLINE });
  const open = holdProvider();
  const { jobId } = await queueContent(topic);
  await untilAsked(1);
  app.toApp.failures.length = 0;
  app.toApp.switchTo(NOBODY);
  open();
  await eventually(
    async () => app.toApp.failures.length,
    (failures) => failures > 0,
    PATIENCE_MS,
  );
  app.toApp.switchTo(app.port);
  expect(await untilEnded(jobId)).toMatchObject({ status: "completed", completedItems: 3, failedItems: 0 });
  await expectWritten(topic);
  expect(app.ai.requests).toHaveLength(3 * SECTIONS.length);
});

it("does the work of an event once, however often and late it is delivered", async () => {
  let events: Record<string, unknown>[] = [];
  const deliver = async () => {
    for (const data of events) for (let n = 0; n < 5; n++) await app.sendAgain("jobs/content-item.queued", data);
  };
  await writeDuring("Events that are delivered again", 2, async (jobId) => {
    events = await app.query(
      `SELECT id AS "itemId", job_id AS "jobId", user_id AS "userId", id || '-' || sends AS dispatch
       FROM processing_queue WHERE job_id = $1`,
      [jobId],
    );
    expect(events).toHaveLength(2);
    await deliver();
  });
  expect(app.ai.requests).toHaveLength(2 * SECTIONS.length);
  await deliver();
  // Later work shows that the engine has dealt with them.
  await writeDuring("After the late events", 1, async () => undefined);
  expect(app.ai.requests).toHaveLength(3 * SECTIONS.length);
});

it("waits as long as the provider says, and then goes on", async () => {
  const topic = await newTopicOfPieces(app.call, "A provider that limits", 2, { outline: OUTLINE });
  app.ai.faults.mode = { kind: "rate-limit", retryAfter: "3" };
  const { jobId } = await queueContent(topic);
  await untilAsked(1);
  app.ai.faults.clear();
  expect(await untilEnded(jobId)).toMatchObject({ status: "completed", completedItems: 2, failedItems: 0 });
  await expectWritten(topic);
});

it("completes everything once after the app was killed", async () => {
  await writeDuring("The app is killed", 4, () => app.killAndRestart());
});

it("completes everything once after the engine was killed, whatever it has forgotten", async () => {
  const { restart } = app.engine;
  if (!restart) {
    console.log("The server was not killed: --restart names no command that does it.");
    return;
  }
  const topic = await newTopicOfPieces(app.call, "The engine is killed", 4, { outline: OUTLINE });
  const open = holdProvider();
  const { jobId } = await queueContent(topic);
  await untilAsked(4);
  await restart();
  open();
  // The app still finishes the sections that it had asked for, and keeps them.
  const kept = () => app.query("SELECT 1 FROM written_sections WHERE content_piece_id = ANY ($1)", [topic.pieces]);
  await eventually(kept, (sections) => sections.length >= 4, PATIENCE_MS);
  // Nobody renews these leases any more, and five minutes are long: as if they had passed, and the user asked again.
  await app.query("UPDATE leases SET until = now() - interval '1 second'");
  await app.call("POST", "/api/queue/resume");
  expect(await untilEnded(jobId)).toMatchObject({ status: "completed", completedItems: 4, failedItems: 0 });
  await expectWritten(topic);
  expect(app.ai.requests).toHaveLength(4 * SECTIONS.length);
});
