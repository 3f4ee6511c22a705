import { expect, test } from "@playwright/test";
import { isFree } from "@/scripts/ports";
import { type JobSeen, newTopicOfPieces, queueJob } from "@/tests/support/http-caller";
import { type OwnDeployment, startOwnDeployment } from "@/tests/support/own-deployment";

// Two processes of the production build on one database, as a platform runs them while it replaces one by the other. The old
// one is stopped in the middle of everything.

const SECTIONS = ["First", "Second", "Third"];
const OUTLINE = SECTIONS.map((name) => `## ${name}\nWhat it says.`).join("\n\n");
const TO_WRITE = 8;
const TO_PUBLISH = 20;

let own: OwnDeployment;
test.beforeAll(async () => {
  own = await startOwnDeployment();
});
test.afterAll(() => own.close());

test("a new process takes over in the middle of jobs, a stream and edits: nothing fails, nothing is done twice", async () => {
  test.setTimeout(180_000);
  const old = await own.startProcess();
  own.balancer.switchTo(old.port);
  const call = await own.signIn();
  const writing = await newTopicOfPieces(call, "Written during a deployment", TO_WRITE, { outline: OUTLINE });
  const publishing = await newTopicOfPieces(call, "Published during a deployment", TO_PUBLISH, {
    body: "## One\n\nText.",
  });
  const edited = await newTopicOfPieces(call, "Edited during a deployment", 1, { body: "0" });
  const streamed = await newTopicOfPieces(call, "Streamed during a deployment", 1, { outline: OUTLINE });
  const gate = holdAnswers();

  // A queue, a publishing job and a stream are under way, each with a call in flight, and a user keeps saving.
  const { jobId } = await call<{ jobId: string }>("POST", `/api/topics/${writing.topicId}/generate-all-content-queue`);
  const publishUrl = `/api/projects/${publishing.projectId}/publishing-jobs`;
  await call("POST", publishUrl, { verb: "publish_all" });
  const stream = call.stream(`/api/content/${streamed.pieces[0]}/generate-from-outline`);
  let isSaving = true;
  const saving = (async () => {
    let saves = 0;
    while (isSaving) await call("PATCH", `/api/content/${edited.pieces[0]}`, { body: `${++saves}` });
    return saves;
  })();
  await expect.poll(() => gate.held("provider"), { intervals: [20] }).toBeGreaterThanOrEqual(4);
  await expect.poll(() => gate.held("site"), { intervals: [20] }).toBeGreaterThanOrEqual(1);

  // The new version brings a migration; the old one goes on with the new schema.
  await own.query(`ALTER TABLE content_pieces ADD COLUMN of_the_new_version text DEFAULT 'new';
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES ('new', 'new', '99990101000000_of_the_new_version', now())`);
  const young = await own.startProcess();
  const ready = await fetch(`http://127.0.0.1:${old.port}/api/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { migrations: "newer" }]);
  own.balancer.switchTo(young.port);
  const stopped = old.app.stop(30_000);
  await expect.poll(() => isFree(old.port), { intervals: [20] }).toBe(true);
  gate.open();
  await stopped;
  expect((await old.app.ended).code).toBe(143);

  const jobOf = () => queueJob(call, jobId);
  const publishingOf = async () => (await call<{ job: JobSeen }>("GET", publishUrl)).job;
  const patience = { timeout: 60_000, intervals: [100] };
  expect(await stream).toMatch(/^event: done$/m);
  await expect.poll(async () => (await jobOf())?.completedAt, patience).toBeTruthy();
  await expect.poll(async () => (await publishingOf()).completedAt, patience).toBeTruthy();
  isSaving = false;
  const saves = await saving;

  expect(own.balancer.failures).toEqual([]);
  expect(await jobOf()).toMatchObject({ status: "completed", completedItems: TO_WRITE, failedItems: 0 });
  expect(await publishingOf()).toMatchObject({ status: "completed", completedItems: TO_PUBLISH, failedItems: 0 });
  expect((await call<{ body: string }>("GET", `/api/content/${edited.pieces[0]}`)).body).toBe(`${saves}`);
  for (const id of [...writing.pieces, ...streamed.pieces]) {
    const { body } = await call<{ body: string }>("GET", `/api/content/${id}`);
    expect(body.match(/^## .+$/gm)).toEqual(SECTIONS.map((name) => `## ${name}`));
  }
  // Each section was paid once, and no item needed a second attempt.
  expect(own.ai.requests).toHaveLength((TO_WRITE + 1) * SECTIONS.length);
  expect(await own.query("SELECT id FROM processing_queue WHERE retry_count > 0")).toEqual([]);
  expect(own.site.posts().map(({ status }) => status)).toEqual(Array(TO_PUBLISH).fill("publish"));
  expect(await own.query("SELECT kind FROM leases WHERE until > now()")).toEqual([]);
});

/** Holds every answer of the provider and of the site to a write, until it is opened. */
function holdAnswers() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const writes: string[] = [];
  const before = own.ai.requests.length;
  own.ai.texts.push(...Array.from({ length: 1_000 }, () => ({ until: opened })));
  own.site.faults.answerAfter = ({ method, route }) => {
    if (method === "GET") return undefined;
    writes.push(route);
    return opened;
  };
  const held = (by: "provider" | "site") => (by === "site" ? writes.length : own.ai.requests.length - before);
  return { open, held };
}
