import { type Backend, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import {
  contentQueueUrl,
  outlineOf,
  type Queued,
  type QueueWorkspace,
  untilJobEnded,
} from "@/tests/support/queue-workspace";

// The answers that the app gives the engine get lost on the way.

let backend: Backend;
/** Of the functions' calls, by their bodies: the answer to each is lost once. */
const lost = new Set<string>();

beforeAll(async () => {
  let body = "";
  backend = await startBackend(
    () => {
      if (body === "" || lost.has(body)) return;
      lost.add(body);
      throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    },
    (call) => {
      body = call.url.includes("write-content") ? call.body : "";
    },
  );
});
afterAll(() => backend.close());

it("pays once for each section of a text when the answer to each call is lost, and needs no sweep", async () => {
  const workspace = await newWorkspace();
  await workspace.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  const mine: QueueWorkspace = { ...workspace, pieces: [await newPiece(workspace, workspace)] };
  await mine.caller.patch(`/api/content/${mine.pieces[0]}`, { outline: outlineOf(8) });
  const { body } = await mine.caller.post<Queued>(contentQueueUrl(mine));
  const { contentQueue } = await untilJobEnded(mine, body.jobId);
  expect(contentQueue[0]).toMatchObject({ status: "completed", retryCount: 0 });
  expect(backend.ai.requests).toHaveLength(8);
  expect(lost.size).toBeGreaterThan(1);
  expect(await query("SELECT sends FROM processing_queue WHERE job_id = $1", [body.jobId])).toEqual([{ sends: 1 }]);
});
