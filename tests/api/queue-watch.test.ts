import { type Watched, withTexts } from "@/lib/features/generation/client/watched-texts";
import type { Section } from "@/lib/features/generation/rules";
import type { JobTexts } from "@/lib/features/generation/schema";
import { query } from "@/tests/support/db";
import { newUser } from "@/tests/support/factories";
import { followQueue, followStream } from "@/tests/support/queue-stream";
import {
  contentQueueUrl,
  outlineOf,
  type Queued,
  queueBackend,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

const backend = queueBackend();

const textsUrl = (jobId: string) => `/api/queue/jobs/${jobId}/texts`;
const follow = (of: { caller: Parameters<typeof followStream>[0]; jobId: string }) =>
  followStream<JobTexts>(of.caller, textsUrl(of.jobId));

const lengthOf = (sections: Section[]) => sections.reduce((sum, { text }) => sum + text.length, 0);

/** A job that writes texts of so many sections, word by word. */
async function writing({ pieces = 1, sections = 2, wordMs = 3 } = {}) {
  backend.ai.faults.mode = { kind: "slow", wordMs };
  const workspace = await workspaceWithPieces(backend, pieces, outlineOf(sections));
  const { body } = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
  return { ...workspace, jobId: body.jobId };
}

it("sends a text word by word while a job writes it", async () => {
  const job = await writing({ sections: 4 });
  const stream = await follow(job);
  let seen: Watched | undefined;
  let sections: Section[] = [];
  let growing = 0;
  let characters = 0;
  await stream.until((changes) => {
    seen = withTexts(seen, changes);
    const [{ status, sections: now } = { status: null, sections: [] }] = seen.texts;
    if (status === "processing") {
      if (now.length === sections.length && lengthOf(now) > lengthOf(sections)) growing++;
      sections = now;
      for (const { position, text } of changes.texts.flatMap(({ parts }) => parts))
        characters += position > 0 ? text.length : 0;
    }
    return changes.job.completedAt !== null;
  });
  await stream.close();
  const [{ body = "" } = {}] = await query<{ body: string }>("SELECT body FROM content_pieces WHERE id = $1", [
    job.pieces[0],
  ]);
  expect(growing).toBeGreaterThan(3);
  expect(sections).toHaveLength(4);
  for (const { text } of sections) expect(body).toContain(text.trim());
  // Each word comes once. The first section has a lead, which is set apart in the end.
  expect(characters).toBeLessThan(1.1 * lengthOf(sections.slice(1)));
  expect(seen?.texts[0]?.sections).toEqual([{ heading: "", text: body }]);
});

it("shows what is written already to those who begin to watch", async () => {
  const job = await writing({ sections: 3 });
  const early = await follow(job);
  await early.until(({ texts }) => texts.some(({ section }) => section?.number === 2));
  const { body } = await job.caller.get<JobTexts>(textsUrl(job.jobId));
  const [text] = body.texts;
  expect(text).toMatchObject({ title: "Piece A of the plan", status: "processing", section: { number: 2, of: 3 } });
  expect(text?.parts[0]).toMatchObject({ position: 0, from: 0, text: expect.stringMatching(/\w+/) });
  expect(text?.parts[1]).toMatchObject({ position: 1, heading: "Part 2" });
  expect(text?.secondsLeft).toBeGreaterThan(0);
  await early.close();
});

it("shows at most four texts, and those first that are being written", async () => {
  const job = await writing({ pieces: 6, sections: 1, wordMs: 1 });
  const stream = await follow(job);
  const seen: JobTexts[] = [];
  await stream.until((changes) => {
    seen.push(changes);
    return changes.job.completedAt !== null;
  });
  await stream.close();
  expect(Math.max(...seen.map(({ texts }) => texts.length))).toBe(4);
  expect(seen.map(({ texts }) => texts.map(({ status }) => status))).toContainEqual([
    "processing",
    "processing",
    "completed",
    "completed",
  ]);
  const whole = seen.flatMap(({ texts }) =>
    texts.filter(({ status, parts }) => status === "completed" && parts.length > 0),
  );
  expect(new Set(whole.map(({ itemId }) => itemId)).size).toBe(whole.length);
  expect(seen.at(-1)?.texts.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
  await query("UPDATE processing_queue SET completed_at = now() - interval '2 minutes' WHERE job_id = $1", [job.jobId]);
  expect((await job.caller.get<JobTexts>(textsUrl(job.jobId))).body.texts).toEqual([]);
});

it("keeps no draft while nobody watches, and none that is no longer written", async () => {
  // Longer than a call takes to look again whether somebody watches.
  const job = await writing({ sections: 1, wordMs: 6 });
  const drafts = () => query("SELECT 1 FROM leases WHERE user_id = $1 AND draft IS NOT NULL", [job.id]);
  const queue = await followQueue(job.caller);
  await queue.until(({ contentQueue }) => contentQueue.some(({ section }) => section !== null));
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(await drafts()).toEqual([]);
  const stream = await follow(job);
  await stream.until(({ texts }) => texts.some(({ parts }) => parts.some(({ text }) => text !== "")));
  expect(await drafts()).toHaveLength(1);
  await stream.close();
  await queue.close();
  await untilJobEnded(job, job.jobId);
  expect(await drafts()).toEqual([]);
});

it("shows the sections of this outline that are whole, also between two calls", async () => {
  const workspace = await workspaceWithPieces(backend, 1, outlineOf(3));
  await workspace.caller.post("/api/queue/pause");
  const { body } = await workspace.caller.post<Queued>(contentQueueUrl(workspace));
  const section = { number: 2, of: 3, heading: "Part 2", outlineHash: "this" };
  await query("UPDATE processing_queue SET status = 'processing', result = $2 WHERE job_id = $1", [
    body.jobId,
    JSON.stringify({ section }),
  ]);
  await query(
    `INSERT INTO written_sections (content_piece_id, outline_hash, position, heading, text, model, prompt_version, tokens_in,
       tokens_out, duration_ms, breaks)
     SELECT $1, hash, position, 'Part ' || position + 1, text, 'm', 'v', 1, 1, 3000, breaks
     FROM (VALUES ('this', 0, 'One.', 0), ('this', 1, 'Two.', 0), ('this', 2, 'Thr', 1), ('other', 0, 'Old.', 0))
       AS s (hash, position, text, breaks)`,
    [workspace.pieces[0]],
  );
  const { texts } = (await workspace.caller.get<JobTexts>(textsUrl(body.jobId))).body;
  expect(texts[0]?.parts).toEqual([
    { position: 0, heading: "Part 1", from: 0, text: "One." },
    { position: 1, heading: "Part 2", from: 0, text: "Two." },
  ]);
  expect(texts[0]?.secondsLeft).toBe(6);
});

it("shows nobody else's texts", async () => {
  const job = await writing({ sections: 1 });
  const { caller } = await newUser();
  expect((await caller.get(textsUrl(job.jobId))).status).toBe(404);
  expect((await follow({ caller, jobId: job.jobId })).status).toBe(404);
  expect(await query("SELECT 1 FROM leases WHERE kind = 'watching' AND subject = $1", [job.jobId])).toEqual([]);
});

it("ends once the job is gone", async () => {
  const job = await writing();
  const stream = await follow(job);
  await stream.until(({ texts }) => texts.length > 0);
  await job.caller.delete(`/api/topics/${job.topicId}`);
  await stream.ended();
  expect((await job.caller.get(textsUrl(job.jobId))).status).toBe(404);
});
