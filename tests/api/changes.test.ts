import { changesOf, changesOfJob, QUERIES, shows, VERBS } from "@/lib/client/changes";
import { type Backend, eventually, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { doors, knock, requestOf } from "@/tests/support/doors";
import type { SampleWordPress } from "@/tests/support/wordpress-site";
import { newWorld, type World } from "@/tests/support/world";

// What the browser refreshes after a call is held to what the server then answers: every call that changes something is
// made for real, and each query whose answer has changed must be among those that the rule marks.

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

/** Writes that no query of a screen shows: the way in and out, and what leaves the account behind. */
const NOT_SHOWN = new Set([
  "POST /api/login",
  "POST /api/register",
  "POST /api/logout",
  "POST /api/firebase-auth",
  "POST /api/password-reset",
  "POST /api/password-reset/confirm",
]);

const writes = Object.keys(doors).filter((name) => !name.startsWith("GET ") && !NOT_SHOWN.has(name));

/** As the rule names an operation, and as the folders of `app/api` do. */
function ruleName(name: string): string {
  return name.replace(/\[\w+\]/g, "{}");
}

it("knows every call that changes something, and no other", () => {
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
    // The clock goes on by itself.
    const shown = address === "/api/queue/status" ? JSON.stringify({ ...body, now: null }) : text;
    seen.set(address, { text: shown.replace(/"requestId":"[^"]*"/, ""), data: body });
  }
  return seen;
}

/** What a queue does goes on after its answer, and is followed by itself. */
const isQueueing = (name: string) => /queue/.test(name);

it.each(writes)("%s: every query that shows what it changed is marked", async (name) => {
  const world = await newWorld({ ai: backend.ai, site });
  await doors[name]?.before?.(world);
  const before = await look(world);
  const { method, url, body } = requestOf(name, world);
  const { status, body: answer } = await knock(name, world.caller, world);
  expect(status).toBe(doors[name]?.status);
  if (isQueueing(name)) await settled(world);
  if (name === "DELETE /api/user") return;

  const after = await look(world);
  const changes = changesOf({ method, url, body, answer });
  const jobs = isQueueing(name) ? changesOfJob(world) : [];
  const changed = [...before].filter(([address, { text }]) => after.get(address)?.text !== text);
  const missed = changed.filter(([address, { data }]) => !shows({ queryKey: [address], data }, [...changes, ...jobs]));
  expect(missed.map(([address]) => address)).toEqual([]);
  expect({ name, isListed: changes.length > 0 }).toEqual({ name, isListed: changed.length > 0 || IDLE.has(name) });
});

/** Here they find nothing to change: the same site again, a post as it was left, one session, nothing that waits. */
const IDLE = new Set([
  "PATCH /api/user/settings",
  "DELETE /api/user/sessions",
  "POST /api/content/[id]/sync",
  "POST /api/wordpress/test",
  "POST /api/queue/resume",
]);

async function settled({ id }: World): Promise<void> {
  await eventually(
    () => query("SELECT 1 FROM processing_queue WHERE user_id = $1 AND status = 'processing'", [id]),
    (rows) => rows.length === 0,
  );
}
