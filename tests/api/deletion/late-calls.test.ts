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
import { lockPiece } from "@/lib/features/content/sql";
import { selectUncounted } from "@/lib/features/content/sql/lengths";
import { patchContent } from "@/lib/features/content/sql/patch";
import { selectRevisions } from "@/lib/features/content/sql/revisions";
import {
  isLiveSql,
  isPublishedSinceSql,
  leasablePieceSql,
  saveAiText,
  selectNewerHere,
  selectSentText,
  selectUnsettled,
  showSite,
  textVersionSql,
} from "@/lib/features/content/sql/shared";
import { saveSection } from "@/lib/features/generation/sql";
import { createProject } from "@/lib/features/projects/writes";
import { acquirePublishing } from "@/lib/features/publishing/sql/leases";
import { claimItem } from "@/lib/features/work/sql/items";
import { cancelOrphans, insertJob, retryJob } from "@/lib/features/work/sql/jobs";
import { acquire } from "@/lib/lease/lease";
import { createCaller } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { countRows, deleteAccount } from "@/tests/support/deletions";
import { newWorkspace, PASSWORD } from "@/tests/support/factories";
import { connectedSite, storePost } from "@/tests/support/posts";
import { newWorld, storeReset } from "@/tests/support/world";

// What was under way when something is deleted. Removal is held back, so it does not depend on that.
jest.mock("@/lib/transport/after-response", () => ({ afterResponse: jest.fn() }));

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
    expect(await countRows("written_sections WHERE content_piece_id = $1", [pieceId])).toBe(0);
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
    expect(await selectNewerHere(id, { ids }, 10)).toEqual([]);
    expect(await selectSentText(id, pieceId)).toBeUndefined();
    expect((await selectUnsettled(60, 1_000)).filter((each) => each.id === pieceId)).toEqual([]);
    // The other tests leave thousands of pieces.
    expect((await selectUncounted(1_000_000)).filter((each) => each.id === pieceId)).toEqual([]);
    await query("UPDATE content_pieces SET status = 'wp_draft' WHERE id = $1", [pieceId]);
    await showSite(prisma, id, { projectId, siteId });
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
    expect(await cancelOrphans(id)).toEqual([id]);
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
      expect([table, await countRows(`${table} WHERE user_id = $1`, [world.id])]).toEqual([table, 0]);
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
    expect(await countRows("projects WHERE user_id = $1 AND deleted_at IS NULL", [user.id])).toBe(0);
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
