import { changesOf, isAffected, jobChanges } from "@/lib/client/changes";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { buildRequest, callOperation, operationNames, prepare, successOf } from "@/tests/support/operations";
import { newWorld, type World } from "@/tests/support/world";

// Makes every call that changes something for real: each query of the browser whose response has changed must be among
// those that lib/client/changes.ts refreshes, as the routes say.

let backend: Backend;
let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
  backend = await startBackend();
}, 60_000);
afterAll(async () => {
  await backend.close();
  await site.close();
});

/** Each says what it changes, in its route's spec; only signing in and out need not. */
const writes = operationNames(({ changes }) => changes);

/** Every query of the browser, for this user's own things. */
async function addressesOf(world: World): Promise<string[]> {
  const pieces = [world.pieceId, world.titleId, world.outlinedId];
  const requests = operationNames(({ shows }) => shows).flatMap((name) => {
    // What is beside a piece does not change with it; its own page is gone when it is deleted.
    const shown = name.endsWith("/neighbours") ? [world.titleId, world.outlinedId] : pieces;
    const params = name.includes("/content/[id]") ? shown.map((id) => ({ id })) : [{}];
    return params.map((given) => buildRequest(name, world, { params: given, query: {} }));
  });
  return (await Promise.all(requests)).map(({ url }) => url);
}

type Seen = Map<string, { text: string; data: unknown }>;

async function look(world: World): Promise<Seen> {
  const seen: Seen = new Map();
  for (const address of await addressesOf(world)) {
    const { text, body } = await world.caller.get<Record<string, unknown> | null>(address);
    // The clock changes by itself.
    const shown = address === "/api/queue/status" ? JSON.stringify({ ...body, now: null }) : text;
    // What the site's answers say of SEO plugins is a note, which another piece's editor has at its next load.
    const compared = shown.replace(/"requestId":"[^"]*"|"lacksSearchFields":\w+,?/g, "");
    seen.set(address, { text: compared, data: body });
  }
  return seen;
}

/** A queue works on after its response, and the screen polls it. */
const isQueueing = (name: string) => /queue/.test(name);

it.each(writes)("%s: marks every query that shows what it changed", async (name) => {
  const world = await newWorld({ ai: backend.ai, site });
  await prepare(name, world);
  const before = await look(world);
  const { method, url, body } = await buildRequest(name, world);
  const { status, body: answer } = await callOperation(name, world.caller, world);
  expect(status).toBe(await successOf(name));
  if (isQueueing(name)) await settled(world);
  if (name.includes("publishing-jobs")) await published(world);
  if (name === "DELETE /api/user") return;

  const after = await look(world);
  const changes = changesOf({ method, url, body, answer });
  const jobs = isQueueing(name) ? jobChanges(world) : [];
  const changed = [...before].filter(([address, { text }]) => after.get(address)?.text !== text);
  const missed = changed.filter(
    ([address, { data }]) => !isAffected({ queryKey: [address], data }, [...changes, ...jobs]),
  );
  expect(missed.map(([address]) => address)).toEqual([]);
  expect({ name, isListed: changes.length > 0 }).toEqual({ name, isListed: changed.length > 0 || IDLE.has(name) });
});

/** Calls that find nothing to change here: the same site, an unchanged post, a single session, no waiting items, an ended job, nothing unfinished. */
const IDLE = new Set([
  "PATCH /api/user/settings",
  "DELETE /api/user/sessions",
  "POST /api/content/[id]/sync",
  "POST /api/wordpress/test",
  "POST /api/queue/resume",
  "POST /api/publishing-jobs/[id]/cancel",
  "DELETE /api/content/[id]/unfinished",
]);

async function published({ id }: World): Promise<void> {
  await eventually(
    () =>
      query("SELECT 1 FROM processing_jobs WHERE job_type = 'publishing' AND user_id = $1 AND completed_at IS NULL", [
        id,
      ]),
    (rows) => rows.length === 0,
  );
}

async function settled({ id }: World): Promise<void> {
  await eventually(
    () => query("SELECT 1 FROM processing_queue WHERE user_id = $1 AND status = 'processing'", [id]),
    (rows) => rows.length === 0,
  );
}
