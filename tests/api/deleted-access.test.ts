import { isDeepStrictEqual } from "node:util";
import { needsSession } from "@/lib/transport/access";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { type Backend, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newTopic, PASSWORD } from "@/tests/support/factories";
import { buildRequest, callOperation, foreignRequests, listOperations, paramsOf } from "@/tests/support/operations";
import { connectedSite, storePost } from "@/tests/support/posts";
import { newWorld, type World } from "@/tests/support/world";

// The access matrix for the owner of what is deleted, as long as its rows are there: removal is held back.
jest.mock("@/lib/features/deletion/steps", () => ({ removeDeleted: async () => undefined }));

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

type Kind = {
  path: (world: World) => string;
  /** The ids that are gone with it, by the folder before them in a path. */
  gone: (world: World) => Record<string, (string | number)[]>;
  /** Texts that only what is gone has. */
  texts: (world: World) => string[];
};

const ofPiece = ({ pieceId, revisionId }: World) => ({ content: [pieceId], revisions: [revisionId] });
const ofTopic = ({ topicId, pieceId, titleId, outlinedId, revisionId, keywordId }: World) => ({
  topics: [topicId],
  content: [pieceId, titleId, outlinedId],
  revisions: [revisionId],
  keywords: [keywordId],
});

const KINDS: Record<string, Kind> = {
  piece: {
    path: ({ pieceId }) => `/api/content/${pieceId}`,
    gone: ofPiece,
    texts: ({ mark }) => [`"title":"${mark} piece"`, "Written by hand"],
  },
  topic: {
    path: ({ topicId }) => `/api/topics/${topicId}`,
    gone: ofTopic,
    texts: ({ mark }) => [
      ...[`${mark} topic`, `${mark} title alone`, `${mark} outlined`, `${mark} keyword`],
      "Written by hand",
    ],
  },
  project: {
    path: ({ projectId }) => `/api/projects/${projectId}`,
    gone: (world) => ({
      ...ofTopic(world),
      projects: [world.projectId],
      "buyer-personas": [world.personaId],
      jobs: [world.liveJobId, world.failedJobId],
      "publishing-jobs": [world.publishingJobId],
    }),
    texts: ({ mark }) => [
      ...[`${mark} project`, `${mark} topic`, `${mark} piece`, `${mark} keyword`, `${mark} reader`],
      "Written by hand",
    ],
  },
};

/** The folder before each parameter of an operation's path. */
function foldersOf(name: string): Record<string, string> {
  return Object.fromEntries(
    [...name.matchAll(/([\w-]+)\/\[(\w+)\]/g)].map(([, folder = "", key = ""]) => [key, folder]),
  );
}

/** No id of anything. */
const absent = (id: string | number) =>
  typeof id === "number" ? 2_147_483_000 : "3f2f4e0c-5a0e-4c39-9d3c-0a4a3b9d7aff";

const withoutId = ({ requestId: _, ...body }: Record<string, unknown>) => body;

describe.each(Object.entries(KINDS))("a deleted %s, for its owner", (kind, { path, gone, texts }) => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld({ ai: backend.ai, site });
    expect((await world.caller.delete(path(world))).status).toBe(204);
  });

  it("is answered like one that never was, by every operation whose path names it", async () => {
    const before = await deletedRows(world);
    let cases = 0;
    for (const { name } of await listOperations()) {
      const own = paramsOf(name, world);
      const folders = foldersOf(name);
      const gonesOf = (key: string) => gone(world)[folders[key] ?? ""] ?? [];
      const missing = Object.fromEntries(
        Object.entries(own).map(([key, value]) => [key, gonesOf(key).includes(value) ? absent(value) : value]),
      );
      if (Object.values(missing).every((value) => Object.values(own).includes(value))) continue;
      const answer = await callOperation(name, world.caller, world, { params: own });
      const expected = await callOperation(name, world.caller, world, { params: missing });
      expect([name, answer.status, withoutId(answer.body as never)]).toEqual([
        name,
        expected.status,
        withoutId(expected.body as never),
      ]);
      expect([name, answer.status]).toEqual([name, 404]);
      cases++;
    }
    expect(cases).toBeGreaterThan(10);
    // Nothing was written to it either. The sweep of every five minutes may have removed it.
    const rows = await deletedRows(world);
    expect(rows).toEqual(rows.map(({ hash }, at) => (hash === null ? { hash } : before[at])));
    process.stdout.write(`S1 the owner of a deleted ${kind}: ${cases} paths, all 404\n`);
  }, 60_000);

  it("is in no list, no search, no export and no answer that names it in a query or body", async () => {
    const ids = Object.values(gone(world)).flat();
    const traces = [...ids.filter((id) => typeof id === "string"), ...texts(world)];
    let cases = 0;
    for (const { name } of await listOperations()) {
      if (name === "DELETE /api/user" || name === "POST /api/logout") continue;
      const named = await foreignRequests(name, world, world);
      const isList = name.startsWith("GET") && Object.keys(paramsOf(name, world)).length === 0;
      for (const given of isList ? [{}, ...named] : named) {
        const answer = await callOperation(name, world.caller, world, given);
        expect([name, answer.status < 500 || answer.status === 502]).toEqual([name, true]);
        const sent = JSON.stringify([await buildRequest(name, world, given), given]);
        const shown = traces.filter((trace) => !sent.includes(trace) && answer.text.includes(trace));
        expect([name, shown]).toEqual([name, []]);
        cases++;
      }
    }
    expect(cases).toBeGreaterThan(20);
    process.stdout.write(`S1 the owner of a deleted ${kind}: ${cases} lists and bodies, 0 traces\n`);
  }, 60_000);

  it("is not exported, except in the trail and in the results of publishing", async () => {
    const { exportArchive } = await import("@/lib/features/account/own-data/reads");
    const { actorFromSignIn } = await import("@/lib/auth/actor");
    const ids = Object.values(gone(world)).flat();
    const traces = [...ids.filter((id) => typeof id === "string"), ...texts(world)];
    const actor = actorFromSignIn(world.id, { requestId: "test", address: "test" });
    for await (const { path, text: given } of exportArchive(actor)) {
      let text = "";
      for await (const part of typeof given === "string" ? [given] : given) text += part;
      const file = { path, text };
      if (file.path === "activity.json") continue;
      if (file.path.startsWith("jobs/publish-") && kind !== "project") continue;
      expect([file.path, traces.filter((trace) => file.text.includes(trace))]).toEqual([file.path, []]);
      if (kind === "project" && file.path.startsWith("chats/")) expect(JSON.parse(file.text).projectId).toBeNull();
    }
  });
});

it("changes the version of the queue's status when a topic goes whose jobs have ended", async () => {
  const { caller, failedJobId } = await newWorld();
  const versionNow = async () => (await caller.get("/api/queue/status")).headers.get("etag");
  const before = await versionNow();
  const [job] = await query<{ topic: number }>("SELECT topic_id AS topic FROM processing_jobs WHERE id = $1", [
    failedJobId,
  ]);
  expect((await caller.delete(`/api/topics/${job?.topic}`)).status).toBe(204);
  expect(await versionNow()).not.toBe(before);
});

it("answers a deleted account's sessions with 401, and its password like a wrong one", async () => {
  const world = await newWorld({ ai: backend.ai, site });
  const cookie = world.caller.cookie();
  const gone = await world.caller.call("DELETE", "/api/user", { confirm: world.username, password: PASSWORD });
  expect(gone.status).toBe(204);
  const { createCaller } = await import("@/tests/support/app");
  let cases = 0;
  for (const { name, spec } of await listOperations()) {
    if (!needsSession(spec)) continue;
    const answer = await callOperation(name, createCaller(cookie), world);
    expect([name, answer.status]).toEqual([name, 401]);
    cases++;
  }
  const signedIn = await createCaller().post("/api/login", { username: world.username, password: PASSWORD });
  expect(signedIn.status).toBe(401);
  process.stdout.write(`S1 the owner of a deleted account: ${cases} operations, all 401\n`);
});

it("is counted nowhere, and no prompt has it: as if its row were gone already", async () => {
  const { countPieces, countPiecesByKeyword, countUnwritten, encodedTitles, projectTitles } = await import(
    "@/lib/features/content/reads"
  );
  const { selectPieceContext } = await import("@/lib/features/generation/sql");
  const { workspaceOf } = await import("@/lib/features/assistant/reads");
  const { selectTopicCategories } = await import("@/lib/features/content/sql/shared");
  const { actorFromSignIn } = await import("@/lib/auth/actor");
  const world = await newWorld();
  const { caller, id, projectId, topicId, pieceId, titleId } = world;
  const actor = actorFromSignIn(id, { requestId: "test", address: "test" });
  const siteId = await connectedSite(id, "https://blog.example");
  await storePost(pieceId, siteId, { postId: "7", categoryId: "3", categoryName: "Growing" });
  await query("UPDATE content_pieces SET focus_keyword = 'seeds', outline = '## One' WHERE id = $1", [pieceId]);
  const planned = await newPiece(world, world, { title: "Planned" });
  await query("UPDATE content_pieces SET outline = '## One' WHERE id = $1", [planned]);
  const bare = await newPiece(world, world, { title: "Bare" });
  const otherTopic = await newTopic(world, projectId, "Another topic");
  const told = async () => ({
    topic: (await caller.get(`/api/topics/${topicId}`)).body,
    topics: (await caller.get(`/api/projects/${projectId}/topics`)).body,
    groups: (await caller.get("/api/content/groups")).body,
    publishing: (await caller.get("/api/publishing-counts")).body,
    pieces: await countPieces(actor, topicId),
    byKeyword: [...(await countPiecesByKeyword(actor, topicId))],
    unwritten: [await countUnwritten(actor, topicId, "outline"), await countUnwritten(actor, topicId, "body")],
    titles: (await projectTitles(actor, projectId, 50)).sort(),
    encoded: (await encodedTitles(actor, projectId)).count,
    beside: (await selectPieceContext(id, titleId))?.piece.neighbourTitles.sort(),
    neighbours: (await caller.get(`/api/content/${titleId}/neighbours`)).body,
    categories: await selectTopicCategories(id, { siteId, topicId }),
    assistant: (await workspaceOf(actor, projectId)).topics.map(({ name }) => name),
  });
  const before = await told();
  for (const gone of [pieceId, planned, bare]) expect((await caller.delete(`/api/content/${gone}`)).status).toBe(204);
  expect((await caller.delete(`/api/topics/${otherTopic}`)).status).toBe(204);
  const deleted = await told();
  await query("DELETE FROM content_pieces WHERE user_id = $1 AND deleted_at IS NOT NULL", [id]);
  await query("DELETE FROM topics WHERE user_id = $1 AND deleted_at IS NOT NULL", [id]);
  expect(deleted).toEqual(await told());
  const unchanged = Object.entries(deleted).filter(([what, now]) =>
    isDeepStrictEqual(now, before[what as keyof typeof before]),
  );
  expect(unchanged.map(([what]) => what)).toEqual([]);
});

/** What is deleted, as it is stored. */
function deletedRows({ id }: World) {
  return query(
    `SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS hash FROM (
       SELECT p::text FROM projects p WHERE user_id = $1 AND deleted_at IS NOT NULL
       UNION ALL SELECT t::text FROM topics t WHERE user_id = $1 AND deleted_at IS NOT NULL
       UNION ALL SELECT p::text FROM content_pieces p WHERE user_id = $1 AND deleted_at IS NOT NULL
       UNION ALL SELECT r::text FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
         WHERE p.user_id = $1 AND p.deleted_at IS NOT NULL
       UNION ALL SELECT k::text FROM keywords k JOIN topics t ON t.id = k.topic_id WHERE t.user_id = $1 AND t.deleted_at IS NOT NULL
       UNION ALL SELECT b::text FROM buyer_personas b JOIN projects p ON p.id = b.project_id WHERE p.user_id = $1 AND p.deleted_at IS NOT NULL
       UNION ALL SELECT w::text FROM piece_posts w JOIN content_pieces p ON p.id = w.content_piece_id
         WHERE p.user_id = $1 AND p.deleted_at IS NOT NULL) t`,
    [id],
  );
}
