import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { markerSlug } from "@/lib/features/publishing/rules";
import type { KnownPost } from "@/lib/features/sites/sql/shared";
import { applyMigrations } from "@/scripts/migrate";
import { noFaults } from "@/scripts/samples/wordpress/faults";
import { suiteBlog } from "@/tests/support/blog";
import { createDatabase, databaseUrl, query, waitForLock } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import {
  CREATION,
  expireLease,
  type Failed,
  holdResponse,
  type Piece,
  UPDATE,
  workspaceWithPost,
  writesOf,
} from "@/tests/support/publishing-workspace";
import { createDraft } from "@/tests/support/wordpress/one-write";

const site = suiteBlog();
let sql: typeof import("@/lib/features/publishing/sql/leases");

beforeAll(async () => {
  sql = await import("@/lib/features/publishing/sql/leases");
});

type Workspace = Awaited<ReturnType<typeof workspaceWithPost>>;

const actionsOf = async ({ id }: Workspace) =>
  (await query<{ action: string }>("SELECT action FROM audit_events WHERE user_id = $1", [id])).map(
    ({ action }) => action,
  );
const publishesOf = async (workspace: Workspace) =>
  (await actionsOf(workspace)).filter((action) => action === "content.published");
const rowOf = async ({ contentId }: Workspace) =>
  (
    await query(
      `SELECT to_jsonb(p) AS piece, to_jsonb(w) AS post FROM content_pieces p LEFT JOIN piece_posts w ON w.content_piece_id = p.id
       WHERE p.id = $1`,
      [contentId],
    )
  )[0];
const leasesOf = ({ contentId }: Workspace) => query("SELECT token FROM leases WHERE subject = $1", [contentId]);
const sync = ({ caller, url }: Workspace) => caller.post<Piece>(`${url}/sync`);

/** Takes the piece's lease; returns its token. */
async function acquire({ id, contentId }: Workspace): Promise<string> {
  const token = randomUUID();
  expect(await sql.acquirePublishing(id, [contentId], token)).toEqual([contentId]);
  return token;
}

async function save({ contentId }: Workspace, token: string, siteId: string, change: Partial<KnownPost>) {
  return (await sql.saveUnderLeases(token, siteId, [{ id: contentId, change }])).has(contentId);
}

async function siteIdOf({ id, caller }: Workspace): Promise<string> {
  await caller.post("/api/wordpress/test");
  const [row] = await query<{ id: string }>("SELECT id FROM sites WHERE user_id = $1 AND is_default", [id]);
  return row?.id ?? "";
}

/** The state after a process died while publishing: its draft on the site, recorded here or not. */
async function dieAfterDraft(workspace: Workspace, isRemembered: "remembered" | "unknown"): Promise<number> {
  const siteId = await siteIdOf(workspace);
  const token = await acquire(workspace);
  expect(await save(workspace, token, siteId, { unansweredSince: new Date() })).toBe(true);
  const { createWordPressClient } = await import("@/lib/wordpress/client");
  const apiRoot = `${site.url}/wp-json/`;
  const { username, applicationPassword: password } = site;
  const client = createWordPressClient({ userId: workspace.id, apiRoot, username, password });
  const draft = { marker: markerSlug(workspace.contentId), title: `A post ${workspace.username}` };
  const { id } = await createDraft(client, draft);
  if (isRemembered === "remembered")
    expect(await save(workspace, token, siteId, { postId: String(id), unansweredSince: null })).toBe(true);
  await expireLease(workspace.contentId);
  return id;
}

describe("a running publish", () => {
  it("is left alone during its lease: other calls are refused and change nothing on the site", async () => {
    const workspace = await workspaceWithPost(site);
    const held = holdResponse(site, UPDATE);
    const first = workspace.publish();
    await held.reached;
    for (const verb of ["publish", "unpublish", "sync"]) {
      const requests = await writesOf(site, async () => {
        const { status, body } = await workspace.caller.post<Failed>(`${workspace.url}/${verb}`);
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
    expect(await leasesOf(workspace)).toEqual([]);
  });

  it("is taken over once its lease has expired, and writes nothing when it continues", async () => {
    const workspace = await workspaceWithPost(site, "First text");
    const held = holdResponse(site, UPDATE);
    const first = workspace.publish();
    await held.reached;
    await workspace.caller.patch(workspace.url, { body: "Second text" });
    await expireLease(workspace.contentId);
    expect((await workspace.publish({ categoryName: "Guides" })).body.status).toBe("wp_published");
    const before = await rowOf(workspace);
    held.open();
    const { status, body } = await first;
    expect([status, body.type]).toEqual([409, "ALREADY_RUNNING"]);
    expect(await rowOf(workspace)).toEqual(before);
    expect(workspace.post()).toEqual([expect.objectContaining({ content: expect.stringContaining("Second text") })]);
    expect(await publishesOf(workspace)).toHaveLength(1);
  });

  it("that is taken over before it knows its post writes no text, and its successor adopts that post", async () => {
    const workspace = await workspaceWithPost(site, "First text");
    const held = holdResponse(site, CREATION);
    const first = workspace.publish();
    await held.reached;
    await workspace.caller.patch(workspace.url, { body: "Second text" });
    await expireLease(workspace.contentId);
    expect((await workspace.publish()).body.status).toBe("wp_published");
    const writes = await writesOf(site, async () => {
      held.open();
      expect((await first).body.type).toBe("ALREADY_RUNNING");
    });
    expect(writes).toEqual([]);
    expect(workspace.post()).toEqual([expect.objectContaining({ content: expect.stringContaining("Second text") })]);
  });

  it("that fails after it was taken over does not change its successor's status", async () => {
    const workspace = await workspaceWithPost(site);
    const held = holdResponse(site, UPDATE);
    site.faults.failAfterUpdate = 1;
    const first = workspace.publish();
    await held.reached;
    await expireLease(workspace.contentId);
    await workspace.publish();
    held.open();
    expect((await first).body.type).toBe("WORDPRESS_REJECTED");
    expect(await workspace.read()).toMatchObject({ status: "wp_published", publishError: null });
  });

  it.each([
    ["before its post is known", CREATION],
    ["before its end", UPDATE],
  ])("of a piece that is deleted %s ends as not found, and leaves no rows", async (_when, request) => {
    const workspace = await workspaceWithPost(site);
    const held = holdResponse(site, request);
    const publishing = workspace.publish();
    await held.reached;
    expect((await workspace.caller.delete(workspace.url)).status).toBe(204);
    expect(await leasesOf(workspace)).toEqual([]);
    held.open();
    const { status, body } = await publishing;
    expect([status, body.type]).toEqual([404, "NOT_FOUND"]);
    expect([await leasesOf(workspace), await publishesOf(workspace)]).toEqual([[], []]);
  });

  it("is recorded by its lease's holder only, and on its piece only", async () => {
    const [workspace, other] = [await workspaceWithPost(site), await workspaceWithPost(site)];
    const others = await rowOf(other);
    const siteId = await siteIdOf(workspace);
    const old = await acquire(workspace);
    await expireLease(workspace.contentId);
    const present = await acquire(workspace);
    const before = await rowOf(workspace);
    expect(await save(workspace, old, siteId, { status: "wp_failed", publishError: "Old" })).toBe(false);
    const { release } = await import("@/lib/lease/lease");
    await release({ kind: "publishing", subject: workspace.contentId, token: old });
    expect([await rowOf(workspace), await leasesOf(workspace)]).toEqual([before, [{ token: present }]]);
    expect(await save(workspace, present, siteId, { publishError: "New" })).toBe(true);
    expect((await workspace.read()).publishError).toBe("New");
    expect(await rowOf(other)).toEqual(others);
    // Of pieces that are published together, those whose leases are still held.
    const second = await newPiece(workspace, workspace);
    await sql.acquirePublishing(workspace.id, [second], randomUUID());
    const rows = [second, workspace.contentId].map((id) => ({ id, change: { publishError: "Both" } }));
    expect(await sql.saveUnderLeases(present, siteId, rows)).toEqual(new Set([workspace.contentId]));
    expect((await workspace.read()).publishError).toBe("Both");
    expect(await rowOf({ ...workspace, contentId: second })).toMatchObject({ post: null });
  });

  it("is recorded with the site's message, cleaned and shortened", async () => {
    const workspace = await workspaceWithPost(site);
    const token = await acquire(workspace);
    const siteId = await siteIdOf(workspace);
    const publication = { publishError: `a\0b${"c".repeat(3_000)}`, lastSyncedAt: null };
    expect(await save(workspace, token, siteId, publication)).toBe(true);
    expect((await workspace.read()).publishError).toBe(`ab${"c".repeat(1_998)}`);
  });

  it("can be started by the owner only", async () => {
    const [workspace, other] = [await workspaceWithPost(site), await workspaceWithPost(site)];
    expect((await other.caller.post<Failed>(`${workspace.url}/publish`)).body.type).toBe("NOT_FOUND");
  });
});

it("waits for a concurrent deletion of the piece, and then acquires nothing", async () => {
  const workspace = await workspaceWithPost(site);
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("DELETE FROM content_pieces WHERE id = $1", [workspace.contentId]);
    const holding = sql.acquirePublishing(workspace.id, [workspace.contentId], randomUUID());
    await waitForLock();
    await client.query("COMMIT");
    expect(await holding).toEqual([]);
  } finally {
    await client.end();
  }
});

it("takes its lease in the end when another transaction waits for it in turn", async () => {
  const workspace = await workspaceWithPost(site);
  const ids = [workspace.contentId, await newPiece(workspace, workspace)].sort();
  const other = new pg.Client({ connectionString: databaseUrl() });
  await other.connect();
  try {
    const lock = (id: string | undefined) => other.query("SELECT 1 FROM content_pieces WHERE id = $1 FOR UPDATE", [id]);
    // Postgres ends the transaction whose own wait reaches this time, so never the other one.
    await other.query("SET deadlock_timeout = '1min'");
    await other.query("BEGIN");
    await lock(ids[1]);
    const acquiring = sql.acquirePublishing(workspace.id, ids, randomUUID());
    await waitForLock();
    await lock(ids[0]);
    await other.query("COMMIT");
    expect((await acquiring).sort()).toEqual(ids);
  } finally {
    await other.end();
  }
});

describe("a publish whose process died", () => {
  it("before it recorded its post is recovered: its draft is found and becomes the post", async () => {
    const workspace = await workspaceWithPost(site);
    const draft = await dieAfterDraft(workspace, "unknown");
    const { status, body } = await workspace.publish();
    expect([status, body.wpPostId]).toEqual([200, String(draft)]);
    expect(workspace.post()).toEqual([
      expect.objectContaining({ id: draft, status: "publish", slug: expect.stringContaining("a-post-") }),
    ]);
    expect(await leasesOf(workspace)).toEqual([]);
  });

  it("between its draft and its text is continued under its own address", async () => {
    const workspace = await workspaceWithPost(site);
    const draft = await dieAfterDraft(workspace, "remembered");
    expect((await workspace.publish()).body).toMatchObject({ status: "wp_published", wpPostId: String(draft) });
    expect(workspace.post()).toEqual([
      expect.objectContaining({
        id: draft,
        status: "publish",
        slug: expect.stringContaining("a-post-"),
        content: expect.stringContaining("Alpha"),
      }),
    ]);
  });

  it("has its post found by a sync", async () => {
    const workspace = await workspaceWithPost(site);
    const draft = await dieAfterDraft(workspace, "unknown");
    expect((await sync(workspace)).body).toMatchObject({ status: "wp_draft", wpPostId: String(draft) });
    expect((await workspace.publish()).body).toMatchObject({ status: "wp_published", wpPostId: String(draft) });
    expect(workspace.post()).toHaveLength(1);
  });

  it("has its post found even after a publish that failed early", async () => {
    const workspace = await workspaceWithPost(site);
    const draft = await dieAfterDraft(workspace, "unknown");
    expect((await workspace.publish({ categoryId: 99_999 })).body.type).toBe("VALIDATION_ERROR");
    expect((await workspace.publish()).body).toMatchObject({ status: "wp_published", wpPostId: String(draft) });
    expect(workspace.post()).toHaveLength(1);
  });
});

describe("a publish whose creation got no response", () => {
  /** The site stores the post but answers with an error, and then fails to list its posts. */
  async function lose(workspace: Workspace): Promise<void> {
    site.faults.failAfterCreate = 1;
    site.faults.rewrite = (answer, { method, route }) =>
      method === "GET" && route === "/wp/v2/posts" ? { status: 500, body: {} } : answer;
    expect((await workspace.publish()).status).toBe(502);
    Object.assign(site.faults, noFaults());
    expect(await workspace.read()).toMatchObject({ status: "wp_failed", wpPostId: null });
  }

  it("has its post found by the next one", async () => {
    const workspace = await workspaceWithPost(site);
    await lose(workspace);
    expect((await workspace.publish()).body.status).toBe("wp_published");
    expect(workspace.post()).toHaveLength(1);
    expect(await leasesOf(workspace)).toEqual([]);
  });

  it("has its post found whatever status the user has set since", async () => {
    const workspace = await workspaceWithPost(site);
    await lose(workspace);
    expect((await workspace.caller.patch<Piece>(workspace.url, { status: "review" })).body.status).toBe("review");
    expect((await workspace.publish()).body.status).toBe("wp_published");
    expect(workspace.post()).toHaveLength(1);
  });
});

describe("a publish of an earlier release", () => {
  const SINCE = "20261123050000";

  it("stays held or abandoned; a failed one may have left a post", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
    const database = await createDatabase("empty");
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
