import { actorFromSignIn } from "@/lib/auth/actor";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { releasePieces, reservePieces, saveAiPieces } from "@/lib/features/content/writes";
import { THINGS } from "@/lib/features/deletion/rules";
import { MAX_PROJECTS } from "@/lib/features/projects/schema";
import { MAX_TOPICS } from "@/lib/features/topics/schema";
import { holdTransaction, query, waitForLock } from "@/tests/support/db";
import { countRows, deleteAccount, deletions } from "@/tests/support/deletions";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";
import { putItems } from "@/tests/support/publishing-project";
import { newWorld, snapshot, type World } from "@/tests/support/world";

// Removal is held back: what a deletion does at once must not depend on it.
jest.mock("@/lib/transport/after-response", () => ({ afterResponse: jest.fn() }));

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
      expect([what, await countRows("leases WHERE content_piece_id = $1", [world.pieceId])]).toEqual([what, 0]);
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
    expect(await countRows("content_pieces WHERE user_id = $1", [world.id])).toBe(0);
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
      expect([what, await countRows("content_pieces WHERE user_id = $1 AND deleted_at IS NULL", [world.id])]).toEqual([
        what,
        0,
      ]);
    }
  });

  it("cancels an item that is being created for its piece", async () => {
    const { caller, id, projectId, topicId } = await newWorkspace();
    const pieceId = await newPiece({ id }, { projectId, topicId });
    const queueing = await holdTransaction("SELECT 1 FROM content_pieces WHERE id = $1 FOR KEY SHARE", [pieceId]);
    const deleted = caller.delete(`/api/content/${pieceId}`);
    await waitForLock();
    await queueing.also(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, total_items)
         VALUES ($1, $2, $3, 'outline_generation', 1) RETURNING id)
       INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id)
       SELECT 'outline_generation', id, $1, $3, $4 FROM j`,
      [id, projectId, topicId, pieceId],
    );
    await queueing.releaseLock();
    expect((await deleted).status).toBe(204);
    expect(await query("SELECT status::text, cancelled_items FROM processing_jobs WHERE user_id = $1", [id])).toEqual([
      { status: "cancelled", cancelled_items: 1 },
    ]);
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
