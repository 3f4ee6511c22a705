import { changesOf, isAffected, jobChanges, QUERIES, VERBS } from "@/lib/client/changes";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { buildRequest, callOperation, validCalls } from "@/tests/support/operations";
import type { SampleWordPress } from "@/tests/support/wordpress-site";
import { newWorld, type World } from "@/tests/support/world";

// Makes every call that changes something for real: each query of the browser whose response has changed must be among
// those that lib/client/changes.ts refreshes.

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

/** Writes that no query of a screen shows: signing in and out, and deleting the account. */
const NOT_SHOWN = new Set([
  "POST /api/login",
  "POST /api/register",
  "POST /api/logout",
  "POST /api/firebase-auth",
  "POST /api/password-reset",
  "POST /api/password-reset/confirm",
]);

const writes = Object.keys(validCalls).filter((name) => !name.startsWith("GET ") && !NOT_SHOWN.has(name));

/** The operation's name in the rules and in the folders of `app/api`. */
function ruleName(name: string): string {
  return name.replace(/\[\w+\]/g, "{}");
}

it("covers every call that changes something, and no others", () => {
  const known = [...new Set(Object.keys(VERBS).map((name) => name.split("?", 1)[0]))].sort();
  expect(known).toEqual(writes.map(ruleName).sort());
});

/** Every query of the browser, for this person's own things. */
function addressesOf({ projectId, topicId, pieceId, titleId, outlinedId, revisionId }: World): string[] {
  return Object.keys(QUERIES).flatMap((pattern) => {
    if (pattern === "/api/content/{}/revisions/{}") return [`/api/content/${pieceId}/revisions/${revisionId}`];
    if (pattern.startsWith("/api/content/{}")) {
      return [pieceId, titleId, outlinedId].map((id) => pattern.replace("{}", id));
    }
    const ids = pattern.startsWith("/api/topics") ? [topicId] : [projectId, topicId];
    return [ids.reduce<string>((address, id) => address.replace("{}", String(id)), pattern)];
  });
}

type Seen = Map<string, { text: string; data: unknown }>;

async function look(world: World): Promise<Seen> {
  const seen: Seen = new Map();
  for (const address of addressesOf(world)) {
    const { text, body } = await world.caller.get<Record<string, unknown> | null>(address);
    // The clock changes by itself.
    const shown = address === "/api/queue/status" ? JSON.stringify({ ...body, now: null }) : text;
    seen.set(address, { text: shown.replace(/"requestId":"[^"]*"/, ""), data: body });
  }
  return seen;
}

/** A queue works on after its response, and the screen polls it. */
const isQueueing = (name: string) => /queue/.test(name);

it.each(writes)("%s: marks every query that shows what it changed", async (name) => {
  const world = await newWorld({ ai: backend.ai, site });
  await validCalls[name]?.before?.(world);
  const before = await look(world);
  const { method, url, body } = buildRequest(name, world);
  const { status, body: answer } = await callOperation(name, world.caller, world);
  expect(status).toBe(validCalls[name]?.status);
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

/** Calls that find nothing to change here: the same site, an unchanged post, a single session, no waiting items, an ended job. */
const IDLE = new Set([
  "PATCH /api/user/settings",
  "DELETE /api/user/sessions",
  "POST /api/content/[id]/sync",
  "POST /api/wordpress/test",
  "POST /api/queue/resume",
  "POST /api/publishing-jobs/[id]/cancel",
]);

async function published({ id }: World): Promise<void> {
  await eventually(
    () => query("SELECT 1 FROM publishing_jobs WHERE user_id = $1 AND completed_at IS NULL", [id]),
    (rows) => rows.length === 0,
  );
}

async function settled({ id }: World): Promise<void> {
  await eventually(
    () => query("SELECT 1 FROM processing_queue WHERE user_id = $1 AND status = 'processing'", [id]),
    (rows) => rows.length === 0,
  );
}
