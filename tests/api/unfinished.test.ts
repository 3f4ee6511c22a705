import { eventually } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import {
  contentQueueUrl,
  createGate,
  fastForward,
  itemRows,
  type Queued,
  queueBackend,
  untilAsked,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// What the provider had written when it broke off is kept, gone on from, and never taken for a section.

const backend = queueBackend();

beforeEach(() => {
  backend.ai.texts.length = 0;
});

const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.";
const BEGUN = "Water from below.";
const BROKEN = `${BEGUN} It stays damp longer, and the ro`;
const LONG = "A sentence of a section that is long enough to count. ".repeat(30).trim();
const OTHER = "Another sentence of a section that is long enough. ".repeat(40).trim();
const MARK = "[unfinished: the AI provider broke off here]";

type Answer = { type?: string; error?: string; message?: string; content?: { body: string } };
type Unfinished = { heading: string; text: string; isShown: boolean; goesOn: string | null } | null;

async function ready() {
  const mine = await workspaceWithPieces(backend, 1, OUTLINE);
  const [piece = ""] = mine.pieces;
  const path = `/api/content/${piece}`;
  return {
    mine,
    piece,
    path,
    write: (which = "") => mine.caller.post<Answer>(`${path}/generate-from-outline${which}`),
    unfinished: async () => (await mine.caller.get<{ unfinished: Unfinished }>(`${path}/unfinished`)).body.unfinished,
    body: async () => (await mine.caller.get<{ body: string }>(path)).body.body,
  };
}

/** The next answer breaks off in the middle of a word, after BEGUN. */
function breakOff(text = BROKEN): void {
  backend.ai.texts.push(`${text} ${"x ".repeat(text.split(" ").length)}`);
  backend.ai.faults.next(["truncated"]);
}

/** The fences of the last request. */
const asked = () => JSON.stringify(backend.ai.requests.at(-1)?.body.messages);

it("goes on from the words of a call that broke off, once", async () => {
  const { write, unfinished, body } = await ready();
  backend.ai.texts.push(LONG);
  backend.ai.faults.next([null]);
  breakOff();
  expect((await write()).body).toMatchObject({ type: "AI_PROVIDER_ERROR" });
  expect(await unfinished()).toEqual({ heading: "Beta", text: BEGUN, isShown: false, goesOn: "all" });
  expect(await body()).toBe("");

  backend.ai.texts.push(LONG);
  const { status, body: answer } = await write();
  expect([status, answer.content?.body]).toEqual([200, `## Alpha\n\n${LONG}\n\n## Beta\n\n${BEGUN} ${LONG}`]);
  expect(asked()).toContain(`section-begun\\">\\n${BEGUN}`);
  expect(await unfinished()).toBeNull();
  expect(backend.ai.requests).toHaveLength(3);
});

it("starts the section over when the continuation breaks off too, and keeps the longer text until then", async () => {
  const { write, unfinished } = await ready();
  breakOff();
  await write();
  breakOff("It needs less. And th");
  await write();
  expect(await unfinished()).toMatchObject({ heading: "Alpha", text: `${BEGUN} It needs less.` });
  breakOff("Sh. And th");
  await write();
  expect(asked()).not.toContain("section-begun");
  expect(await unfinished()).toMatchObject({ text: `${BEGUN} It needs less.` });
});

it("keeps what is begun when the call that would go on brings nothing", async () => {
  const { write } = await ready();
  breakOff();
  await write();
  backend.ai.faults.next(["server-error"]);
  await write();
  backend.ai.texts.push(LONG);
  await write();
  expect(backend.ai.requests.map(({ body }) => JSON.stringify(body.messages).includes("section-begun"))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it("becomes the section when the call that would go on is stopped before it brings anything", async () => {
  const { mine, path, write, unfinished } = await ready();
  breakOff();
  await write();
  const { until, open } = createGate();
  backend.ai.faults.next([{ kind: "held", until }]);
  const answer = write();
  await untilAsked(backend, 2);
  await mine.caller.post(`${path}/stop-writing`);
  const { body } = await answer;
  expect(body.content?.body).toBe(`## Alpha\n\n${BEGUN}`);
  expect(await unfinished()).toBeNull();
  open();
});

it("is dropped by its owner alone, and the piece's text stays", async () => {
  const { mine, path, write, unfinished, body } = await ready();
  breakOff();
  await write();
  const stranger = await workspaceWithPieces(backend, 1);
  expect((await stranger.caller.get(`${path}/unfinished`)).status).toBe(404);
  expect((await stranger.caller.call("DELETE", `${path}/unfinished`)).status).toBe(404);
  expect(await unfinished()).not.toBeNull();
  expect((await mine.caller.call("DELETE", `${path}/unfinished`)).status).toBe(204);
  expect([await unfinished(), await body()]).toEqual([null, ""]);
});

it("cannot be gone on from once the outline has changed", async () => {
  const { mine, path, write, unfinished } = await ready();
  breakOff();
  await write();
  await mine.caller.patch(path, { outline: "## Gamma\nThird." });
  expect(await unfinished()).toMatchObject({ text: BEGUN, goesOn: null });
});

it("of sections that are added to a text goes on with those", async () => {
  const { mine, path, write, unfinished, body } = await ready();
  await mine.caller.patch(path, { body: "## Alpha\n\nBy hand." });
  breakOff();
  await write("?which=missing");
  expect(await unfinished()).toMatchObject({ heading: "Beta", goesOn: "missing" });
  backend.ai.texts.push(LONG);
  await write("?which=missing");
  expect(await body()).toBe(`## Alpha\n\nBy hand.\n\n## Beta\n\n${BEGUN} ${LONG}`);
});

describe("an item of a queue that has failed in the middle of a section", () => {
  /** The first section is written; all tries at the second break off. */
  async function failed() {
    const ready_ = await ready();
    const { mine } = ready_;
    backend.ai.texts.push(LONG);
    backend.ai.faults.next([null]);
    for (let attempt = 0; attempt < 4; attempt++) breakOff();
    const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await fastForward(backend, mine, body.jobId);
    await eventually(ready_.body, (text) => text !== "");
    return { ...ready_, jobId: body.jobId };
  }

  it("shows what there is of its text, marked, and names that among what will not appear", async () => {
    const { mine, piece, unfinished, body } = await failed();
    expect(await itemRows(mine)).toMatchObject([{ status: "failed" }]);
    const text = await body();
    expect(text.startsWith(`## Alpha\n\n${LONG}\n\n## Beta\n\n${BEGUN}`)).toBe(true);
    expect(text.endsWith(`\n\n${MARK}`)).toBe(true);
    expect(await unfinished()).toMatchObject({ heading: "Beta", isShown: true, goesOn: "all" });
    const reviews = await mine.caller.get(`/api/content/reviews?ids=${piece}`);
    expect(reviews.body).toMatchObject([{ id: piece, losses: 1 }]);
  });

  it("writes the rest when it is tried again, and leaves the first section as it is paid for", async () => {
    const { mine, jobId, unfinished, body } = await failed();
    const calls = backend.ai.requests.length;
    backend.ai.faults.clear();
    backend.ai.texts.length = 0;
    backend.ai.texts.push(OTHER);
    await mine.caller.post(`/api/queue/jobs/${jobId}/retry`);
    const { job } = await fastForward(backend, mine, jobId);
    expect(job).toMatchObject({ status: "completed", completedItems: 1 });
    expect(await body()).toBe(`## Alpha\n\n${LONG}\n\n## Beta\n\n${OTHER}`);
    expect(await unfinished()).toBeNull();
    expect(backend.ai.requests).toHaveLength(calls + 1);
  });

  it("leaves a text alone that its user has edited meanwhile, and pays for nothing", async () => {
    const { mine, path, jobId, body } = await failed();
    const calls = backend.ai.requests.length;
    await mine.caller.patch(path, { body: "By hand." });
    await mine.caller.post(`/api/queue/jobs/${jobId}/retry`);
    const { job } = await fastForward(backend, mine, jobId);
    expect([job.status, await body()]).toEqual(["completed", "By hand."]);
    expect(backend.ai.requests).toHaveLength(calls);
  });

  it("leaves an edit alone that was made before it failed", async () => {
    const { mine, path, body } = await ready();
    backend.ai.texts.push(LONG);
    backend.ai.faults.next([null]);
    for (let attempt = 0; attempt < 4; attempt++) breakOff();
    const { body: queued } = await mine.caller.post<Queued>(contentQueueUrl(mine));
    await eventually(
      () => query("SELECT 1 FROM written_sections WHERE breaks = 0 AND content_piece_id = $1", [mine.pieces[0]]),
      ({ length }) => length === 1,
    );
    await mine.caller.patch(path, { body: "By hand." });
    await fastForward(backend, mine, queued.jobId);
    expect(await body()).toBe("By hand.");
  });
});
