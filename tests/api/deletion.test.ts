import { sweepQueues } from "@/inngest/functions/sweep-queues";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { actorFromSignIn } from "@/lib/auth/actor";
import { createAdapter } from "@/lib/auth/adapter";
import { hashToken, readSession } from "@/lib/auth/sessions";
import { Prisma, prisma } from "@/lib/db/prisma";
import { signInMethods } from "@/lib/features/account/google/reads";
import { exportArchive } from "@/lib/features/account/own-data/reads";
import { readAccount } from "@/lib/features/account/reads";
import { lockAccount } from "@/lib/features/account/sql";
import { findPieces, findPiecesWith, findProjectPieces, postsHere, textSizes } from "@/lib/features/content/reads";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { lockPiece } from "@/lib/features/content/sql";
import { selectUncounted } from "@/lib/features/content/sql/lengths";
import { patchContent } from "@/lib/features/content/sql/patch";
import { selectRevisions } from "@/lib/features/content/sql/revisions";
import {
  isLiveSql,
  isPublishedSinceSql,
  leasablePieceSql,
  saveAiText,
  selectOutdatedPosts,
  selectSentText,
  selectUnsettled,
  showSite,
  textVersionSql,
} from "@/lib/features/content/sql/shared";
import { releasePieces, reservePieces, saveAiPieces } from "@/lib/features/content/writes";
import { STEP_LIMITS, THINGS } from "@/lib/features/deletion/rules";
import { removePart } from "@/lib/features/deletion/sql/removal";
import { removeDeleted } from "@/lib/features/deletion/steps";
import { saveSection } from "@/lib/features/generation/sql";
import { MAX_PROJECTS } from "@/lib/features/projects/schema";
import { createProject } from "@/lib/features/projects/writes";
import { acquirePublishing } from "@/lib/features/publishing/sql/leases";
import { MAX_TOPICS } from "@/lib/features/topics/schema";
import { claimItem } from "@/lib/features/work/sql/items";
import { cancelOrphans, insertJob, retryJob } from "@/lib/features/work/sql/jobs";
import { acquire } from "@/lib/lease/lease";
import { storageUsage } from "@/lib/limits/storage-quota";
import { createCaller } from "@/tests/support/app";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace, PASSWORD, type User } from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";
import { putItems } from "@/tests/support/publishing-project";
import { newWorld, snapshot, storeReset, type World } from "@/tests/support/world";

// Removal is held back: what a deletion does at once must not depend on it. The tests call it themselves.
jest.mock("@/lib/transport/after-response", () => ({ afterResponse: jest.fn() }));

const deleteAccount = ({ caller, username }: User) =>
  caller.call("DELETE", "/api/user", { confirm: username, password: PASSWORD });

const deletions: [string, (world: World) => Promise<{ status: number }>][] = [
  ["a piece", ({ caller, pieceId }) => caller.delete(`/api/content/${pieceId}`)],
  ["a topic", ({ caller, topicId }) => caller.delete(`/api/topics/${topicId}`)],
  ["a project", ({ caller, projectId }) => caller.delete(`/api/projects/${projectId}`)],
  ["an account", deleteAccount],
];

async function count(from: string, values: unknown[]): Promise<number> {
  const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`, values);
  return row?.count ?? 0;
}

describe("a deletion", () => {
  it("marks what it is about and everything below, and nothing else", async () => {
    const marked = async ({ id }: World) =>
      Promise.all(
        THINGS.map(({ table, owner }) =>
          query<{ all: number; deleted: number }>(
            `SELECT count(*)::int AS all, count(deleted_at)::int AS deleted FROM ${table} WHERE ${owner} = $1`,
            [id],
          ).then(([row]) => `${table} ${row?.deleted} of ${row?.all}`),
        ),
      );
    const outcomes: Record<string, string[]> = {};
    for (const [what, deletion] of deletions) {
      const world = await newWorld();
      const elsewhere = await newProject(world, "Autumn");
      await newPiece(world, { projectId: elsewhere, topicId: await newTopic(world, elsewhere) });
      expect([what, (await deletion(world)).status]).toEqual([what, 204]);
      outcomes[what] = await marked(world);
    }
    expect(outcomes).toEqual({
      "a piece": ["content_pieces 1 of 6", "topics 0 of 4", "projects 0 of 2", "users 0 of 1"],
      "a topic": ["content_pieces 3 of 6", "topics 1 of 4", "projects 0 of 2", "users 0 of 1"],
      "a project": ["content_pieces 5 of 6", "topics 3 of 4", "projects 1 of 2", "users 0 of 1"],
      "an account": ["content_pieces 6 of 6", "topics 4 of 4", "projects 2 of 2", "users 1 of 1"],
    });
  });

  it("cancels live jobs and publishing jobs, and takes leases, in its own transaction", async () => {
    for (const [what, deletion] of deletions) {
      const world = await newWorld();
      await query(
        `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
           VALUES ($1, $2, $3, 'content_generation', 1) RETURNING id)
         INSERT INTO processing_queue (job_id, job_type, user_id, topic_id, content_piece_id)
         SELECT id, 'content_generation', $1, $3, $4 FROM j`,
        [world.id, world.projectId, world.topicId, world.pieceId],
      );
      await query("UPDATE processing_jobs SET status = 'pending', completed_at = NULL WHERE user_id = $1", [world.id]);
      await putItems(world.publishingJobId, { status: "pending" });
      await query(
        `INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until)
         VALUES ('publishing', $2::text, $1, $2::uuid, gen_random_uuid(), now() + interval '1 minute')`,
        [world.id, world.pieceId],
      );
      expect([what, (await deletion(world)).status]).toEqual([what, 204]);
      const statuses = await query<{ status: string }>(
        `SELECT q.status::text || ' ' || j.status::text AS status FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id
         WHERE q.content_piece_id = $1 AND q.job_type <> 'publishing'`,
        [world.pieceId],
      );
      expect([what, statuses]).toEqual([what, [{ status: "cancelled cancelled" }]]);
      const publishing = await query<{ status: string }>(
        `SELECT i.status::text || ' ' || j.status::text AS status FROM publishing_queue i JOIN processing_jobs j ON j.id = i.job_id
         WHERE j.id = $1`,
        [world.publishingJobId],
      );
      expect([what, publishing]).toEqual([what, [{ status: "cancelled cancelled" }]]);
      expect([what, await count("leases WHERE content_piece_id = $1", [world.pieceId])]).toEqual([what, 0]);
    }
  });

  it.each(deletions)(
    "of %s gives up after two seconds behind a lock, says so, and leaves everything",
    async (_, deletion) => {
      const world = await newWorld();
      const before = await snapshot(world);
      const held = await holdTransaction("SELECT 1 FROM content_pieces WHERE id = $1 FOR UPDATE", [world.pieceId]);
      const begun = Date.now();
      const refused = await deletion(world).finally(() => held.releaseLock());
      expect(refused).toMatchObject({
        status: 503,
        body: {
          type: "SERVICE_UNAVAILABLE",
          error: "The service is not available right now. Please try again in a moment.",
        },
      });
      expect(Date.now() - begun).toBeLessThan(6_000);
      expect(await snapshot(world)).toEqual(before);
      expect((await deletion(world)).status).toBe(204);
    },
  );

  it("marks nothing that was deleted before again, and waits for none of it", async () => {
    const world = await newWorld();
    const other = await newProject(world);
    const marks = () =>
      query(
        `SELECT deleted_at FROM topics WHERE id = $1 UNION ALL SELECT deleted_at FROM projects WHERE id = $2
         UNION ALL SELECT deleted_at FROM content_pieces WHERE id = $3`,
        [world.topicId, other, world.pieceId],
      );
    for (const path of [`/api/topics/${world.topicId}`, `/api/projects/${other}`]) {
      expect((await world.caller.delete(path)).status).toBe(204);
    }
    await query("UPDATE topics SET deleted_at = '2026-01-01' WHERE id = $1", [world.topicId]);
    await query("UPDATE projects SET deleted_at = '2026-01-01' WHERE id = $1", [other]);
    const before = await marks();
    const removal = await holdTransaction("SELECT 1 FROM topics WHERE id = $1 FOR UPDATE", [world.topicId]);
    const { status } = await world.caller.delete(`/api/projects/${world.projectId}`);
    await removal.releaseLock();
    expect(status).toBe(204);
    expect((await deleteAccount(world)).status).toBe(204);
    expect(await marks()).toEqual(before);
  });

  it("lets nothing be added to a topic that is being deleted", async () => {
    const world = await newWorkspace();
    const { caller, projectId, topicId } = world;
    const actor = actorFromSignIn(world.id, { requestId: "test", address: "test" });
    const place = `/api/projects/${projectId}/topics/${topicId}/content`;
    const deleting = await holdTransaction("UPDATE topics SET deleted_at = now() WHERE id = $1", [topicId]);
    const added = Promise.all([
      saveAiPieces(actor, { projectId, topicId }, [{ title: "Paid for" }]),
      caller.post(place, { title: "By hand" }),
    ]);
    await waitForLock();
    await deleting.releaseLock();
    expect(await added).toMatchObject([[], { status: 404 }]);
    expect(await count("content_pieces WHERE user_id = $1", [world.id])).toBe(0);
  });

  it("takes what is added to a topic meanwhile", async () => {
    for (const what of ["topics", "projects"] as const) {
      const world = await newWorkspace();
      const { caller, projectId, topicId } = world;
      // As saving the AI's pieces does.
      const adding = await holdTransaction("SELECT 1 FROM topics WHERE id = $1 FOR SHARE", [topicId]);
      const deleted = caller.delete(`/api/${what}/${what === "topics" ? topicId : projectId}`);
      await waitForLock();
      await adding.also(
        "INSERT INTO content_pieces (user_id, project_id, topic_id, title) VALUES ($1, $2, $3, 'Added meanwhile')",
        [world.id, projectId, topicId],
      );
      await adding.releaseLock();
      expect((await deleted).status).toBe(204);
      expect([what, await count("content_pieces WHERE user_id = $1 AND deleted_at IS NULL", [world.id])]).toEqual([
        what,
        0,
      ]);
    }
  });

  it("frees its place under the cap", async () => {
    const { caller, id, projectId, topicId } = await newWorkspace();
    const full = {
      projects: [
        "INSERT INTO projects (user_id, title) SELECT $1, 'Project ' || n FROM generate_series(2, $2) n",
        [id, MAX_PROJECTS],
      ],
      topics: [
        "INSERT INTO topics (user_id, project_id, name, description) SELECT $1, $3, 'Topic ' || n, 'Of many.' FROM generate_series(2, $2) n",
        [id, MAX_TOPICS, projectId],
      ],
      content: [
        "INSERT INTO content_pieces (user_id, project_id, topic_id, title) SELECT $1, $3, $4, 'Piece ' || n FROM generate_series(1, $2) n",
        [id, MAX_PIECES, projectId, topicId],
      ],
    } as const;
    const bodies = {
      projects: ["/api/projects", { title: "One more" }],
      topics: [`/api/projects/${projectId}/topics`, { name: "One more", description: "One." }],
      content: [`/api/projects/${projectId}/topics/${topicId}/content`, { title: "One more" }],
    } as const;
    for (const what of ["content", "topics", "projects"] as const) {
      await query(full[what][0], [...full[what][1]]);
      const [path, body] = bodies[what];
      const add = () => caller.post(path, body);
      expect([what, (await add()).status]).toEqual([what, 400]);
      const table = what === "content" ? "content_pieces" : what;
      const [last] = await query<{ id: string }>(
        `SELECT id FROM ${table} WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`,
        [id],
      );
      expect((await caller.delete(`/api/${what}/${last?.id}`)).status).toBe(204);
      if (what === "content") {
        // The AI's pieces need a place too.
        const actor = actorFromSignIn(id, { requestId: "test", address: "test" });
        expect(await reservePieces(actor, projectId, { each: 1, times: 1 })).toBe(1);
        await releasePieces(actor, projectId, 1);
      }
      expect([what, (await add()).status]).toEqual([what, 201]);
    }
  });
});

describe("a call under way when its piece is deleted", () => {
  /** A piece that is live on a site, with an outline alone, and all that a late call needs. */
  async function newDeleted() {
    const world = await newWorld();
    const { id, pieceId, caller } = world;
    const siteId = await connectedSite(id, "https://blog.example");
    const post = { postId: "7", status: "wp_published", unansweredSince: new Date(Date.now() - 600_000) } as const;
    await storePost(pieceId, siteId, post);
    await query("UPDATE content_pieces SET status = 'wp_published', length_in_words = NULL WHERE id = $1", [pieceId]);
    expect((await caller.delete(`/api/content/${pieceId}`)).status).toBe(204);
    const actor = actorFromSignIn(id, { requestId: "test", address: "test" });
    return { ...world, siteId, actor, ids: [pieceId] };
  }
  const token = "3f2f4e0c-5a0e-4c39-9d3c-0a4a3b9d7aff";

  it("takes no lease on it", async () => {
    const { id, pieceId, ids } = await newDeleted();
    expect(await acquirePublishing(id, ids, token)).toEqual([]);
    expect(await acquire("writing", leasablePieceSql(id, pieceId), token)).toBe(false);
  });

  it("saves no text in it, and no section", async () => {
    const { id, pieceId } = await newDeleted();
    const usage = { ...NO_TOKENS, model: "model", promptVersion: "section-1", ms: 1 };
    const text = { field: "body", text: "Late", baseTextVersion: null, usage } as const;
    const rows = () => query("SELECT * FROM content_revisions WHERE content_piece_id = $1 ORDER BY id", [pieceId]);
    const before = await rows();
    expect(await saveAiText(prisma, id, pieceId, text)).toBeUndefined();
    expect(await patchContent(id, pieceId, { body: "Late" })).toBeUndefined();
    expect(await lockPiece(prisma, id, pieceId)).toBeUndefined();
    await saveSection(prisma, pieceId, { outlineHash: "of it", position: 0 }, { heading: "One", text: "Late" }, usage);
    expect(await rows()).toEqual(before);
    expect(await count("written_sections WHERE content_piece_id = $1", [pieceId])).toBe(0);
  });

  it("reads nothing of it", async () => {
    const { id, pieceId, projectId, actor, ids, siteId } = await newDeleted();
    expect(await textSizes(actor, ids)).toEqual(new Map());
    expect(await postsHere(actor, ids)).toEqual(new Map());
    expect(await findPieces(actor, ids)).toEqual([]);
    expect(await findPiecesWith(actor, ids, { id: true })).toEqual([]);
    expect((await findProjectPieces(actor, projectId, {})).map((piece) => piece.id)).not.toContain(pieceId);
    const key = Prisma.sql`${pieceId}::uuid`;
    await query("UPDATE content_revisions SET published_at = now() WHERE content_piece_id = $1", [pieceId]);
    for (const condition of [isLiveSql(key), isPublishedSinceSql(key, Prisma.sql`now() - interval '1 hour'`)]) {
      expect(await prisma.$queryRaw(Prisma.sql`SELECT 1 WHERE ${condition}`)).toEqual([]);
    }
    expect(await prisma.$queryRaw(textVersionSql(pieceId))).toEqual([]);
    expect(await selectRevisions(id, pieceId, undefined, 10)).toEqual([]);
    await query("UPDATE piece_posts SET sent_hash = 'of another text' WHERE content_piece_id = $1", [pieceId]);
    expect(await selectOutdatedPosts(id, 1_000, { ids }, 10)).toEqual([]);
    expect(await selectSentText(id, pieceId)).toBeUndefined();
    expect((await selectUnsettled(60, 1_000)).filter((each) => each.id === pieceId)).toEqual([]);
    // The other tests leave thousands of pieces.
    expect((await selectUncounted(1_000_000)).filter((each) => each.id === pieceId)).toEqual([]);
    await query("UPDATE content_pieces SET status = 'wp_draft' WHERE id = $1", [pieceId]);
    await showSite(prisma, id, siteId);
    const [row] = await query("SELECT status FROM content_pieces WHERE id = $1", [pieceId]);
    expect(row).toEqual({ status: "wp_draft" });
  });

  it("queues nothing for it", async () => {
    const { id, liveJobId, failedJobId } = await newWorld();
    const [live, failed] = await Promise.all(
      [liveJobId, failedJobId].map(async (job) => {
        const [item] = await query<{ id: string; topic: number; piece: string }>(
          "SELECT id, topic_id AS topic, content_piece_id AS piece FROM processing_queue WHERE job_id = $1",
          [job],
        );
        await query("UPDATE content_pieces SET deleted_at = now() WHERE id = $1", [item?.piece]);
        return item;
      }),
    );
    const run = {
      itemId: live?.id ?? "",
      jobType: "outline_generation",
      sends: 0,
      runId: "run",
    } as const;
    expect(await claimItem(run, () => Prisma.sql`NULL`)).toMatchObject({ claim: null, seen: { isOrphan: true } });
    expect(await retryJob(id, failedJobId)).toBeUndefined();
    expect(await insertJob(id, failed?.topic ?? 0, "outline_generation")).toBeUndefined();
    expect(await cancelOrphans(id)).toBe(1);
  });
});

describe("a deleted account", () => {
  it("frees its names at once, and keeps no key, password or session", async () => {
    const world = await newWorld();
    await storeReset(world);
    const email = `${world.mark}@example.com`.toLowerCase();
    await query(
      `UPDATE users SET email = $2, email_verified = now(), firebase_uid = $3, display_name = 'Maren', photo_url = 'https://a.example/b',
         openai_api_key = 'sealed', openai_api_key_hint = '1234', wordpress_url = 'https://blog.example', wordpress_site = 'https://blog.example/wp-json',
         wordpress_username = 'maren', wordpress_password = 'sealed' WHERE id = $1`,
      [world.id, email, world.mark],
    );
    await query(
      "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oidc', 'google', $2)",
      [world.id, world.mark],
    );
    await query(
      `INSERT INTO leases (kind, subject, user_id, token, until)
       VALUES ('call', $2, $1, gen_random_uuid(), now() + interval '1 minute')`,
      [world.id, world.mark],
    );
    expect((await deleteAccount(world)).status).toBe(204);
    const [row] = await query<Record<string, unknown>>("SELECT * FROM users WHERE id = $1", [world.id]);
    const kept = Object.keys(row ?? {}).filter((column) => row?.[column] !== null);
    expect(kept.sort()).toEqual(["created_at", "deleted_at", "id", "updated_at", "username", "username_key"]);
    expect(row?.username).toBe(`deleted:${world.id}`);
    for (const table of ["sessions", "password_resets", "accounts", "leases"]) {
      expect([table, await count(`${table} WHERE user_id = $1`, [world.id])]).toEqual([table, 0]);
    }
    const again = await createCaller().post("/api/register", { username: world.username, email, password: PASSWORD });
    expect(again.status).toBe(201);
    await query("UPDATE users SET firebase_uid = $2 WHERE username = $1", [world.username, world.mark]);
    await query(
      `INSERT INTO accounts (user_id, type, provider, provider_account_id)
       SELECT id, 'oidc', 'google', $2 FROM users WHERE username = $1`,
      [world.username, world.mark],
    );
  });

  it("is not signed in by a session that began after it", async () => {
    const user = await newWorkspace();
    const token = `too late ${user.id}`;
    expect((await deleteAccount(user)).status).toBe(204);
    await query("INSERT INTO sessions (session_token, user_id, expires) VALUES ($1, $2, now() + interval '1 day')", [
      hashToken(token),
      user.id,
    ]);
    expect(await readSession(token)).toBeUndefined();
    expect(await createAdapter().getSessionAndUser?.(token)).toBeNull();
  });

  it("is not found by a Google account that was linked after it", async () => {
    const user = await newWorkspace();
    expect((await deleteAccount(user)).status).toBe(204);
    await query(
      "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1, 'oauth', 'google', $2)",
      [user.id, user.id],
    );
    const account = { provider: "google", providerAccountId: user.id };
    expect(await createAdapter().getUserByAccount?.(account)).toBeNull();
  });

  it("answers a call that was under way like one without a session", async () => {
    const user = await newWorkspace();
    const actor = actorFromSignIn(user.id, { requestId: "test", address: "test" });
    expect((await deleteAccount(user)).status).toBe(204);
    for (const late of [readAccount, signInMethods]) {
      await expect(late(actor)).rejects.toMatchObject({ type: "UNAUTHENTICATED" });
    }
    expect(await lockAccount(prisma, user.id)).toBeUndefined();
  });

  it("gets no new project from a call that was under way", async () => {
    const user = await newWorkspace();
    const actor = actorFromSignIn(user.id, { requestId: "test", address: "test" });
    await deleteAccount(user);
    await expect(createProject(actor, { title: "Too late" })).rejects.toMatchObject({ type: "UNAUTHENTICATED" });
    expect(await count("projects WHERE user_id = $1 AND deleted_at IS NULL", [user.id])).toBe(0);
  });
});

describe("an export under way when something is deleted", () => {
  it("leaves out the keywords and revisions that it has not read", async () => {
    const { id, topicId, mark, caller } = await newWorld();
    const files = exportArchive(actorFromSignIn(id, { requestId: "test", address: "test" }));
    const rest: string[] = [];
    let isDeleted = false;
    for await (const { path, text } of files) {
      let whole = "";
      for await (const part of typeof text === "string" ? [text] : text) whole += part;
      if (isDeleted && !path.endsWith(".md")) rest.push(whole);
      if (!path.endsWith("project.json")) continue;
      expect((await caller.delete(`/api/topics/${topicId}`)).status).toBe(204);
      isDeleted = true;
    }
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.join("")).not.toContain(mark);
  });

  it("leaves out the revisions of a piece that it has read already", async () => {
    const { id, pieceId, caller } = await newWorld();
    const revisions: string[] = [];
    for await (const { path, text } of exportArchive(actorFromSignIn(id, { requestId: "test", address: "test" }))) {
      if (path.endsWith(`${pieceId.slice(0, 13)}.md`)) {
        expect((await caller.delete(`/api/content/${pieceId}`)).status).toBe(204);
      }
      if (!path.endsWith(`${pieceId.slice(0, 13)}.revisions.json`)) continue;
      for await (const part of typeof text === "string" ? [text] : text) revisions.push(part);
    }
    expect(revisions.join("")).toBe("[]\n");
  });

  it("breaks off when half a text was read", async () => {
    const { id, pieceId, caller } = await newWorld();
    await query("UPDATE content_revisions SET body = repeat('Half. ', 20000) WHERE content_piece_id = $1", [pieceId]);
    const read = async () => {
      for await (const { path, text } of exportArchive(actorFromSignIn(id, { requestId: "test", address: "test" }))) {
        for await (const part of typeof text === "string" ? [text] : text) {
          if (path.endsWith(`${pieceId.slice(0, 13)}.revisions.json`) && part.startsWith("Half.")) {
            await caller.delete(`/api/content/${pieceId}`);
          }
        }
      }
    };
    await expect(read()).rejects.toMatchObject({ type: "NOT_FOUND" });
  });
});

/** A user with so many pieces in ten topics, each with so many revisions. */
async function newLibrary({ pieces, revisions }: { pieces: number; revisions: number }) {
  const workspace = await newWorkspace();
  const { id, projectId } = workspace;
  await query(
    `WITH topic AS (
       INSERT INTO topics (user_id, project_id, name, description)
       SELECT $1, $2, 'Topic ' || n, 'Of many.' FROM generate_series(1, 10) n RETURNING id),
     word AS (INSERT INTO keywords (topic_id, keyword) SELECT id, 'Keyword ' || n FROM topic, generate_series(1, 20) n),
     piece AS (
       INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
       SELECT $1, $2, topic.id, 'Piece ' || n, 'Text.' FROM topic, generate_series(1, $3::int / 10) n RETURNING id)
     INSERT INTO content_revisions (content_piece_id, version, author, title, body)
     SELECT piece.id, n, 'user', 'Piece', 'Text ' || n FROM piece, generate_series(1, $4::int) n`,
    [id, projectId, pieces, revisions],
  );
  return workspace;
}

type Statement = () => Promise<number>;

/** Runs `work`, and each write outside a transaction through `around`. */
async function watching<T>(
  work: () => Promise<T>,
  around: (statement: Statement, text: string) => Promise<number>,
): Promise<T> {
  const execute = prisma.$executeRaw.bind(prisma);
  const spy = jest
    .spyOn(prisma, "$executeRaw")
    .mockImplementation(((asked: Prisma.Sql) => around(() => execute(asked), asked.sql)) as never);
  return work().finally(() => spy.mockRestore());
}

/** How many rows each DELETE of `work` removed. */
async function rowsPerStatement(work: () => Promise<unknown>): Promise<number[]> {
  const counts: number[] = [];
  await watching(work, async (statement, text) => {
    const rows = await statement();
    if (/^\s*DELETE/.test(text)) counts.push(rows);
    return rows;
  });
  return counts;
}

const SMALL = { ...STEP_LIMITS, rows: 50 };

const rowsLeft = ({ id, projectId }: { id: string; projectId: number }) =>
  query(
    `SELECT (SELECT count(*)::int FROM projects WHERE id = $2) AS projects, (SELECT count(*)::int FROM topics WHERE user_id = $1) AS topics,
       (SELECT count(*)::int FROM content_pieces WHERE user_id = $1) AS pieces,
       (SELECT count(*)::int FROM keywords k JOIN topics t ON t.id = k.topic_id WHERE t.user_id = $1) AS keywords,
       (SELECT count(*)::int FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id WHERE p.user_id = $1) AS revisions`,
    [id, projectId],
  ).then(([row]) => row);

const NONE = { projects: 0, topics: 0, pieces: 0, keywords: 0, revisions: 0 };

describe("the removal of what is deleted", () => {
  it("takes no more rows in a statement than a step may, whatever hangs from them", async () => {
    const library = await newLibrary({ pieces: 200, revisions: 20 });
    await removeDeleted();
    await library.caller.delete(`/api/projects/${library.projectId}`);
    const rows = await rowsPerStatement(() => removeDeleted({ limits: SMALL }));
    expect(await rowsLeft(library)).toEqual(NONE);
    expect(Math.max(...rows)).toBe(50);
    // Each row was counted, so none went by a cascade.
    expect(rows.reduce((sum, each) => sum + each, 0)).toBe(1 + 11 + 200 + 200 + 200 * 20);
  });

  it("takes no more bytes either, except in a single row", async () => {
    const [pieces] = THINGS;
    const revisions = pieces?.parts.find(({ table }) => table === "content_revisions");
    if (!pieces || !revisions) throw new Error("Pieces come first.");
    const { id, projectId, topicId, caller } = await newWorkspace();
    const pieceId = await newPiece({ id }, { projectId, topicId });
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body)
       SELECT $1, n + 1, 'user', 'Long', repeat('x', 1000) FROM generate_series(1, 10) n`,
      [pieceId],
    );
    await caller.delete(`/api/content/${pieceId}`);
    for (const [bytes, rows] of [
      [3_500, 4],
      [10, 1],
    ] as const) {
      expect(await removePart(pieces, revisions, [pieceId], { rows: 1_000, bytes })).toBe(rows);
    }
  });

  it("may die at any point: the next run goes on until nothing is left", async () => {
    const library = await newLibrary({ pieces: 200, revisions: 20 });
    await library.caller.delete(`/api/projects/${library.projectId}`);
    let deaths = 0;
    for (let steps = 1; ; steps *= 2) {
      let left = steps;
      const outcome = await watching(
        () => removeDeleted({ limits: SMALL }),
        (statement) => (left-- > 0 ? statement() : Promise.reject(new Error("killed"))),
      ).then(
        () => "done",
        () => "killed",
      );
      if (outcome === "done") break;
      deaths++;
    }
    expect(deaths).toBeGreaterThan(5);
    expect(await rowsLeft(library)).toEqual(NONE);
  });

  it("may run twice at once", async () => {
    const library = await newLibrary({ pieces: 200, revisions: 20 });
    await library.caller.delete(`/api/projects/${library.projectId}`);
    await jest.isolateModulesAsync(async () => {
      const other = await import("@/lib/features/deletion/steps");
      const others = await import("@/lib/db/prisma");
      await Promise.all([removeDeleted({ limits: SMALL }), other.removeDeleted({ limits: SMALL })]);
      await others.prisma.$disconnect();
    });
    expect(await rowsLeft(library)).toEqual(NONE);
  });

  it("frees storage as the rows go, and until then they count as being removed", async () => {
    const { caller, id, projectId, topicId } = await newWorkspace();
    const pieceId = await newPiece({ id }, { projectId, topicId });
    await caller.patch(`/api/content/${pieceId}`, { body: "x".repeat(100_000) });
    const before = await storageUsage(id);
    await caller.delete(`/api/content/${pieceId}`);
    const deleted = await storageUsage(id);
    await removeDeleted();
    const after = await storageUsage(id);
    expect([before.removingBytes, after.removingBytes]).toEqual([0, 0]);
    expect(deleted.usedBytes).toBe(before.usedBytes);
    expect(deleted.removingBytes).toBe(before.usedBytes - after.usedBytes);
    // The text, and its revision.
    expect(deleted.removingBytes).toBeGreaterThan(200_000);
  });

  it("leaves out the rows that another process is removing", async () => {
    const { id, projectId, topicId } = await newWorkspace();
    const pieceId = await newPiece({ id }, { projectId, topicId });
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body)
       SELECT $1, n + 1, 'user', 'One', 'Text.' FROM generate_series(1, 3) n`,
      [pieceId],
    );
    const [pieces] = THINGS;
    const [revisions] = pieces?.parts ?? [];
    if (!pieces || !revisions) throw new Error("Pieces come first, and their revisions.");
    const other = await holdTransaction("DELETE FROM content_revisions WHERE content_piece_id = $1 AND version = 2", [
      pieceId,
    ]);
    const removed = await removePart(pieces, revisions, [pieceId], STEP_LIMITS).finally(() => other.releaseLock());
    expect(removed).toBe(2);
  }, 10_000);

  it("leaves conversations, without their project", async () => {
    const world = await newWorld();
    await world.caller.delete(`/api/projects/${world.projectId}`);
    await removeDeleted();
    expect(await query("SELECT project_id FROM chat_sessions WHERE id = $1", [world.chatId])).toEqual([
      { project_id: null },
    ]);
  });

  it("keeps what is known of a draft that the site may have", async () => {
    for (const [what, deletion] of deletions.slice(0, 3)) {
      const world = await newWorld();
      const siteId = await connectedSite(world.id, "https://blog.example");
      await storePost(world.pieceId, siteId, { postId: null, unansweredSince: new Date() });
      await deletion(world);
      await removeDeleted();
      const kept = await query("SELECT site_id FROM abandoned_posts WHERE content_piece_id = $1", [world.pieceId]);
      expect([what, kept]).toEqual([what, [{ site_id: siteId }]]);
    }
  });

  it("takes what a process of the version before has added below something deleted", async () => {
    const world = await newWorld();
    await world.caller.delete(`/api/projects/${world.projectId}`);
    const topicId = await newTopic(world, world.projectId, "Late");
    await newPiece(world, { projectId: world.projectId, topicId });
    await newPiece(world, world);
    await removeDeleted();
    expect(await rowsLeft(world)).toEqual(NONE);
  });

  it("knows every table that refers to something that can be deleted", async () => {
    const references = await query<{ reference: string }>(
      `SELECT c.conrelid::regclass || ' ' || c.confrelid::regclass AS reference FROM pg_constraint c
       WHERE c.contype = 'f' AND c.confrelid::regclass::text = ANY($1) AND c.conparentid = 0`,
      [THINGS.map(({ table }) => table)],
    );
    const known = THINGS.flatMap(({ table, parts, below }) => [
      ...parts.filter(({ via }) => !via).map((part) => `${part.table} ${table}`),
      ...(below ? [`${below.table} ${table}`] : []),
    ]);
    expect(references.map(({ reference }) => reference).sort()).toEqual(known.sort());
  });

  it("is done by the scheduled sweep too", async () => {
    const library = await newLibrary({ pieces: 10, revisions: 1 });
    await library.caller.delete(`/api/projects/${library.projectId}`);
    const run = ({ id }: { id: string }, work: () => Promise<unknown>) => id === "remove-deleted" && work();
    await (sweepQueues as unknown as { fn(context: object): Promise<unknown> }).fn({ step: { run } });
    expect(await rowsLeft(library)).toEqual(NONE);
  });
});
