import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { markerSlug } from "@/lib/features/publishing/rules";
import { applyMigrations } from "@/scripts/migrate";
import { startBlog } from "@/tests/support/blog";
import { databaseUrl, freshDatabase, query, waitingForLock } from "@/tests/support/db";
import {
  CREATION,
  deskWithPost,
  type Failed,
  holdAnswer,
  type Piece,
  runOut,
  UPDATE,
  writesOf,
} from "@/tests/support/publishing-desk";
import { noFaults } from "@/tests/support/wordpress/faults";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

let site: SampleWordPress;
let sql: typeof import("@/lib/features/publishing/sql");

beforeAll(async () => {
  site = await startBlog();
  sql = await import("@/lib/features/publishing/sql");
});
afterAll(() => site.close());
afterEach(() => {
  Object.assign(site.faults, noFaults());
});

type Desk = Awaited<ReturnType<typeof deskWithPost>>;

const actionsOf = async ({ id }: Desk) =>
  (await query<{ action: string }>("SELECT action FROM audit_events WHERE user_id = $1", [id])).map(
    ({ action }) => action,
  );
const publishesOf = async (desk: Desk) => (await actionsOf(desk)).filter((action) => action === "content.published");
const rowOf = async ({ contentId }: Desk) =>
  (await query("SELECT to_jsonb(p) AS row FROM content_pieces p WHERE id = $1", [contentId]))[0]?.row;
const leasesOf = ({ contentId }: Desk) => query("SELECT token FROM leases WHERE subject = $1", [contentId]);
const sync = ({ caller, url }: Desk) => caller.post<Piece>(`${url}/sync`);

/** As far as a process got that died while it published: its draft on the site, and what it wrote down. */
async function dieAfterDraft(desk: Desk, isRemembered: "remembered" | "unknown"): Promise<number> {
  const lease = sql.publishingLease(desk.contentId, randomUUID());
  expect(await sql.holdPublishing(desk.id, desk.contentId, lease.token)).toEqual({ abandoned: false });
  const { createWordPressClient } = await import("@/lib/wordpress/client");
  const apiRoot = `${site.url}/wp-json/`;
  const client = createWordPressClient({ apiRoot, username: site.username, password: site.applicationPassword });
  const draft = { slug: markerSlug(desk.contentId), title: `A post ${desk.username}` };
  const { id } = await client.createDraft(draft);
  if (isRemembered === "remembered")
    expect(await sql.recordRemote(lease, { wpSite: apiRoot, wpPostId: String(id) })).toBe(true);
  await runOut(desk.contentId);
  return id;
}

describe("a publish under way", () => {
  it("is left alone while its lease lives: every other call is refused and asks the site for no change", async () => {
    const desk = await deskWithPost(site);
    const held = holdAnswer(site, UPDATE);
    const first = desk.publish();
    await held.reached;
    for (const verb of ["publish", "unpublish", "sync"]) {
      const requests = await writesOf(site, async () => {
        const { status, body } = await desk.caller.post<Failed>(`${desk.url}/${verb}`);
        expect([verb, status, body.type, body.error]).toEqual([
          verb,
          409,
          "ALREADY_RUNNING",
          "This piece is being published already. Wait a moment, then look again.",
        ]);
      });
      expect(requests).toEqual([]);
    }
    held.open();
    expect((await first).body.status).toBe("wp_published");
    expect(await leasesOf(desk)).toEqual([]);
  });

  it("is taken over once its lease has run out, and writes nothing when it comes back", async () => {
    const desk = await deskWithPost(site, "First text");
    const held = holdAnswer(site, UPDATE);
    const first = desk.publish();
    await held.reached;
    await desk.caller.patch(desk.url, { body: "Second text" });
    await runOut(desk.contentId);
    expect((await desk.publish({ categoryName: "Guides" })).body.status).toBe("wp_published");
    const before = await rowOf(desk);
    held.open();
    const { status, body } = await first;
    expect([status, body.type]).toEqual([409, "ALREADY_RUNNING"]);
    expect(await rowOf(desk)).toEqual(before);
    expect(desk.post()).toEqual([expect.objectContaining({ content: expect.stringContaining("Second text") })]);
    expect(await publishesOf(desk)).toHaveLength(1);
  });

  it("that was taken over before it knew its post writes no text, and the other one adopts that post", async () => {
    const desk = await deskWithPost(site, "First text");
    const held = holdAnswer(site, CREATION);
    const first = desk.publish();
    await held.reached;
    await desk.caller.patch(desk.url, { body: "Second text" });
    await runOut(desk.contentId);
    expect((await desk.publish()).body.status).toBe("wp_published");
    const writes = await writesOf(site, async () => {
      held.open();
      expect((await first).body.type).toBe("ALREADY_RUNNING");
    });
    expect(writes).toEqual([]);
    expect(desk.post()).toEqual([expect.objectContaining({ content: expect.stringContaining("Second text") })]);
  });

  it("that fails after it was taken over leaves the other one's status", async () => {
    const desk = await deskWithPost(site);
    const held = holdAnswer(site, UPDATE);
    site.faults.failAfterUpdate = 1;
    const first = desk.publish();
    await held.reached;
    await runOut(desk.contentId);
    await desk.publish();
    held.open();
    expect((await first).body.type).toBe("WORDPRESS_REJECTED");
    expect(await desk.read()).toMatchObject({ status: "wp_published", publishError: null });
  });

  it.each([
    ["before its post is known", CREATION],
    ["before its end", UPDATE],
  ])("of a piece that is deleted %s ends as not found, and leaves nothing behind here", async (_when, request) => {
    const desk = await deskWithPost(site);
    const held = holdAnswer(site, request);
    const publishing = desk.publish();
    await held.reached;
    expect((await desk.caller.delete(desk.url)).status).toBe(204);
    expect(await leasesOf(desk)).toEqual([]);
    held.open();
    const { status, body } = await publishing;
    expect([status, body.type]).toEqual([404, "NOT_FOUND"]);
    expect([await leasesOf(desk), await publishesOf(desk)]).toEqual([[], []]);
  });

  it("is recorded by its holder alone, and of its piece alone", async () => {
    const [desk, other] = [await deskWithPost(site), await deskWithPost(site)];
    const others = await rowOf(other);
    const [old, present] = [randomUUID(), randomUUID()].map((token) => sql.publishingLease(desk.contentId, token));
    if (!old || !present) throw new Error("two leases");
    await sql.holdPublishing(desk.id, desk.contentId, old.token);
    await runOut(desk.contentId);
    expect(await sql.holdPublishing(desk.id, desk.contentId, present.token)).toEqual({ abandoned: true });
    const before = await rowOf(desk);
    expect(await sql.recordRemote(old, { status: "wp_failed", publishError: "Old" })).toBe(false);
    const { release } = await import("@/lib/lease/lease");
    await release(old);
    expect([await rowOf(desk), await leasesOf(desk)]).toEqual([before, [{ token: present.token }]]);
    expect(await sql.recordRemote(present, { publishError: "New" })).toBe(true);
    expect((await desk.read()).publishError).toBe("New");
    expect(await rowOf(other)).toEqual(others);
  });

  it("is recorded whatever the site said: clean, and its beginning", async () => {
    const desk = await deskWithPost(site);
    const lease = sql.publishingLease(desk.contentId, randomUUID());
    await sql.holdPublishing(desk.id, desk.contentId, lease.token);
    expect(await sql.recordRemote(lease, { publishError: `a\0b${"c".repeat(3_000)}`, lastSyncedAt: null })).toBe(true);
    expect((await desk.read()).publishError).toBe(`ab${"c".repeat(1_998)}`);
  });

  it("is nobody's to hold but the owner's", async () => {
    const [desk, other] = [await deskWithPost(site), await deskWithPost(site)];
    expect((await other.caller.post<Failed>(`${desk.url}/publish`)).body.type).toBe("NOT_FOUND");
  });
});

it("waits for the end of a piece that is just being deleted, and holds nothing then", async () => {
  const desk = await deskWithPost(site);
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("DELETE FROM content_pieces WHERE id = $1", [desk.contentId]);
    const holding = sql.holdPublishing(desk.id, desk.contentId, randomUUID());
    await waitingForLock();
    await client.query("COMMIT");
    expect(await holding).toBeUndefined();
  } finally {
    await client.end();
  }
});

describe("a publish whose process died", () => {
  it("before it wrote down its post is looked for, and its draft becomes the post", async () => {
    const desk = await deskWithPost(site);
    const draft = await dieAfterDraft(desk, "unknown");
    const { status, body } = await desk.publish();
    expect([status, body.wpPostId]).toEqual([200, String(draft)]);
    expect(desk.post()).toEqual([
      expect.objectContaining({ id: draft, status: "publish", slug: expect.stringContaining("a-post-") }),
    ]);
    expect(await leasesOf(desk)).toEqual([]);
  });

  it("between its draft and its text is gone on with, under an address of its own", async () => {
    const desk = await deskWithPost(site);
    const draft = await dieAfterDraft(desk, "remembered");
    expect((await desk.publish()).body).toMatchObject({ status: "wp_published", wpPostId: String(draft) });
    expect(desk.post()).toEqual([
      expect.objectContaining({
        id: draft,
        status: "publish",
        slug: expect.stringContaining("a-post-"),
        content: expect.stringContaining("Alpha"),
      }),
    ]);
  });

  it("leaves its post to be looked for, also when a sync came in between", async () => {
    const desk = await deskWithPost(site);
    const draft = await dieAfterDraft(desk, "unknown");
    expect((await sync(desk)).body.type).toBe("NOT_ON_SITE");
    expect((await desk.publish()).body).toMatchObject({ status: "wp_published", wpPostId: String(draft) });
    expect(desk.post()).toHaveLength(1);
  });

  it("leaves its post to be looked for, also when the next publish did not get that far", async () => {
    const desk = await deskWithPost(site);
    const draft = await dieAfterDraft(desk, "unknown");
    expect((await desk.publish({ categoryId: 99_999 })).body.type).toBe("VALIDATION_ERROR");
    expect((await desk.publish()).body).toMatchObject({ status: "wp_published", wpPostId: String(draft) });
    expect(desk.post()).toHaveLength(1);
  });
});

describe("a publish whose creation went unanswered", () => {
  /** The site stores the post and answers with an error; then it cannot be asked whether it has it. */
  async function lose(desk: Desk): Promise<void> {
    site.faults.failAfterCreate = 1;
    site.faults.rewrite = (answer, { method, route }) =>
      method === "GET" && route === "/wp/v2/posts" ? { status: 500, body: {} } : answer;
    expect((await desk.publish()).status).toBe(502);
    Object.assign(site.faults, noFaults());
    expect(await desk.read()).toMatchObject({ status: "wp_failed", wpPostId: null });
  }

  it("is looked for by the next one", async () => {
    const desk = await deskWithPost(site);
    await lose(desk);
    expect((await desk.publish()).body.status).toBe("wp_published");
    expect(desk.post()).toHaveLength(1);
    expect(await leasesOf(desk)).toEqual([]);
  });

  it("is looked for whatever status the person gave the piece since", async () => {
    const desk = await deskWithPost(site);
    await lose(desk);
    expect((await desk.caller.patch<Piece>(desk.url, { status: "review" })).body.status).toBe("review");
    expect((await desk.publish()).body.status).toBe("wp_published");
    expect(desk.post()).toHaveLength(1);
  });
});

describe("what earlier releases held", () => {
  const SINCE = "20261123050000";

  it("stays held, and what was never let go stays so; a failed publish may have left a post", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
    const database = await freshDatabase("empty");
    const client = new pg.Client({ connectionString: database.url });
    try {
      const all = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
      const copy = (name: string) => cpSync(`prisma/migrations/${name}`, path.join(folder, name), { recursive: true });
      for (const name of all.filter((one) => one < SINCE)) copy(name);
      await applyMigrations(database.url, folder);
      await client.connect();
      await client.query(
        `WITH u AS (INSERT INTO users (username) VALUES ('before') RETURNING id),
           p AS (INSERT INTO projects (user_id, title) SELECT id, 'P' FROM u RETURNING id, user_id),
           t AS (INSERT INTO topics (project_id, user_id, name, description) SELECT id, user_id, 'T', 'd' FROM p RETURNING *),
           c AS (INSERT INTO content_pieces (user_id, project_id, topic_id, title, status, publish_token, publish_lease_until)
             SELECT user_id, project_id, id, v.title, v.status::content_status, v.token::uuid, now() + v.minutes * interval '1 minute'
             FROM t, (VALUES ('free', 'wp_draft', NULL, NULL), ('held', 'draft', $1, 1), ('abandoned', 'draft', $1, -1),
               ('failed', 'wp_failed', NULL, NULL)) AS v (title, status, token, minutes))
         INSERT INTO chat_sessions (user_id, reply_token, reply_lease_until) SELECT id, $1::uuid, now() + interval '1 minute' FROM u`,
        [randomUUID()],
      );
      for (const name of all.filter((one) => one >= SINCE)) copy(name);
      await applyMigrations(database.url, folder);
      const { rows } = await client.query(
        `SELECT kind, title, until > now() AS held, subject = coalesce(content_piece_id, chat_session_id)::text AS own
         FROM leases l LEFT JOIN content_pieces p ON p.id = l.content_piece_id ORDER BY kind, title`,
      );
      expect(rows).toEqual([
        { kind: "publishing", title: "abandoned", held: false, own: true },
        { kind: "publishing", title: "failed", held: false, own: true },
        { kind: "publishing", title: "held", held: true, own: true },
        { kind: "reply", title: null, held: true, own: true },
      ]);
    } finally {
      await client.end();
      await database.drop();
      rmSync(folder, { recursive: true });
    }
  });
});
