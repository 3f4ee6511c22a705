import type { Script } from "@/scripts/samples/ai/faults";
import {
  outlineQueueUrl,
  type Queued,
  queueBackend,
  untilJobEnded,
  workspaceWithPieces,
} from "@/tests/support/queue-workspace";

// A queue at a provider that allows a few calls in a while, in real time. Longer: QUEUE_LIMIT_ITEMS=60 QUEUE_LIMIT_SECONDS=60

const ITEMS = Number(process.env.QUEUE_LIMIT_ITEMS ?? 9);
const WINDOW_MS = 1_000 * Number(process.env.QUEUE_LIMIT_SECONDS ?? 5);
const ALLOWED = 3;

const backend = queueBackend();

/** Allows three calls in each window, and says when the next one begins. */
function allowance() {
  const begun = Date.now();
  const seen = { answered: [] as number[], refused: 0 };
  let [window, used] = [0, 0];
  const mode = (): Script => {
    const now = Math.floor((Date.now() - begun) / WINDOW_MS);
    if (now !== window) [window, used] = [now, 0];
    if (++used <= ALLOWED) {
      seen.answered.push(Date.now());
      return null;
    }
    seen.refused++;
    const left = (window + 1) * WINDOW_MS - (Date.now() - begun);
    return { kind: "rate-limit", retryAfter: String(Math.ceil(left / 1_000)) };
  };
  return { mode, seen };
}

it("uses what the provider allows, with few refusals and without a long silence", async () => {
  const mine = await workspaceWithPieces(backend, ITEMS);
  const { mode, seen } = allowance();
  backend.ai.faults.mode = mode;
  const { body } = await mine.caller.post<Queued>(outlineQueueUrl(mine));
  const { job } = await untilJobEnded(mine, body.jobId, (ITEMS / ALLOWED + 3) * 2 * WINDOW_MS);
  expect(job).toMatchObject({ status: "completed", completedItems: ITEMS });
  const silences = seen.answered.map((at, n) => at - (seen.answered[n - 1] ?? at));
  console.info(
    `${seen.answered.length} calls answered, ${seen.refused} refused, longest silence ${Math.max(...silences)} ms`,
  );
  expect(seen.answered).toHaveLength(ITEMS);
  // Those in flight at the first refusal, then at most two a window.
  expect(seen.refused).toBeLessThanOrEqual(4 + 2 * Math.ceil(ITEMS / ALLOWED));
  expect(Math.max(...silences)).toBeLessThan(2.5 * WINDOW_MS);
}, 3_600_000);
