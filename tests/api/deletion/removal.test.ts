import { sweepQueues } from "@/inngest/functions/sweep-queues";
import { type Prisma, prisma } from "@/lib/db/prisma";
import { STEP_LIMITS, THINGS } from "@/lib/features/deletion/rules";
import { removePart } from "@/lib/features/deletion/sql/removal";
import { removeDeleted } from "@/lib/features/deletion/steps";
import { storageUsage } from "@/lib/limits/storage-quota";
import { holdTransaction, query } from "@/tests/support/db";
import { deletions } from "@/tests/support/deletions";
import { newPiece, newTopic, newWorkspace } from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";
import { newWorld } from "@/tests/support/world";

// The tests call the removal themselves.
jest.mock("@/lib/transport/after-response", () => ({ afterResponse: jest.fn() }));

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
