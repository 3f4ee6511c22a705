import { randomUUID } from "node:crypto";
import type { PublishAllOut } from "@/lib/features/publishing/schema";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import {
  connectedWorkspace,
  expireLease,
  holdResponse,
  type Piece,
  workspaceWithPost,
  writesOf,
} from "@/tests/support/publishing-workspace";

// What SEOPress is given, by its own routes.

const SEO = { metaTitle: "Beds & boards <5 cm", metaDescription: "Which wood lasts.", focusKeyword: "raised beds" };
const STORED = {
  _seopress_titles_title: "Beds & boards &lt;5 cm",
  _seopress_titles_desc: "Which wood lasts.",
  _seopress_analysis_target_kw: "raised beds",
};
const [CREATION, UPDATE] = ["POST /wp/v2/posts", "POST /wp/v2/posts/1"];
const TITLES = "POST /seopress/v1/posts/1/title-description-metas";
const KEYWORDS = "POST /seopress/v1/posts/1/target-keywords";
const TO_SEOPRESS = /^POST \/seopress\//;

let site: SampleWordPress;
beforeAll(() => {
  process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8";
});
beforeEach(async () => {
  site = await startSampleWordPress();
  site.setSeoPress(true);
});
afterEach(() => site.close());

/** The first post of its site. */
async function pieceWith(fields: object) {
  const workspace = await workspaceWithPost(site);
  const patch = (input: object) => workspace.caller.patch<Piece>(workspace.url, input);
  await patch({ body: "Deep ones.", ...fields });
  return {
    ...workspace,
    patch,
    /** What publishing writes to posts. */
    published: () => postWrites(async () => expect((await workspace.publish()).body.status).toBe("wp_published")),
    meta: () => site.posts()[0]?.meta,
  };
}

const postWrites = async (work: () => Promise<unknown>) =>
  (await writesOf(site, work)).filter((write) => write.includes("/posts"));

async function publishAll({ caller, projectId }: Pick<Awaited<ReturnType<typeof pieceWith>>, "caller" | "projectId">) {
  return (await caller.post<PublishAllOut>(`/api/projects/${projectId}/publish-all-to-wordpress`)).body.results;
}

/** Until it is undone, SEOPress answers with this. */
function seoPressAnswers(status: number, body: unknown) {
  site.faults.rewrite = (answer, { method, route }) =>
    TO_SEOPRESS.test(`${method} ${route}`) ? { status, body } : answer;
  return () => {
    site.faults.rewrite = null;
  };
}

it("gets the fields of a new post once, after the text", async () => {
  const piece = await pieceWith(SEO);
  expect(await piece.published()).toEqual([CREATION, UPDATE, TITLES, KEYWORDS]);
  expect(piece.meta()).toEqual(STORED);
  expect(await piece.read()).toMatchObject({ isNewerHere: false, lacksSearchFields: false });
  expect(await piece.published()).toEqual([]);
  await piece.patch({ body: "Deeper ones." });
  expect(await piece.published()).toEqual([UPDATE]);
});

it("gets a changed field alone, without the text, and never an empty one", async () => {
  const piece = await pieceWith(SEO);
  await piece.publish();
  expect((await piece.patch({ focusKeyword: "beds" })).body.isNewerHere).toBe(true);
  expect(await piece.published()).toEqual([KEYWORDS]);
  await piece.patch({ metaTitle: "Deep beds", metaDescription: null });
  expect(await piece.published()).toEqual([TITLES]);
  const changed = { _seopress_titles_title: "Deep beds", _seopress_analysis_target_kw: "beds" };
  expect(piece.meta()).toEqual({ ...STORED, ...changed });
  expect((await piece.read()).isNewerHere).toBe(false);
  const events = "SELECT 1 FROM audit_events WHERE user_id = $1 AND action = 'content.published'";
  expect(await query(events, [piece.id])).toHaveLength(3);
});

it("is not asked for a piece without fields", async () => {
  const piece = await pieceWith({ excerpt: "Wood." });
  await piece.publish();
  await piece.patch({ excerpt: "Wood and depth." });
  await piece.publish();
  await piece.publish();
  expect(site.requests.filter((request) => request.includes("seopress"))).toEqual([]);
});

it("is not asked before it is active, and gets the fields then", async () => {
  site.setSeoPress(false);
  const piece = await pieceWith(SEO);
  expect(await piece.published()).toEqual([CREATION, UPDATE]);
  expect(await piece.read()).toMatchObject({ lacksSearchFields: true, isNewerHere: false });
  site.setSeoPress(true);
  await piece.caller.post(`${piece.url}/sync`);
  expect(await piece.read()).toMatchObject({ lacksSearchFields: false, isNewerHere: true });
  expect(await piece.published()).toEqual([TITLES, KEYWORDS]);
  expect((await piece.read()).isNewerHere).toBe(false);
});

it("gets what another SEO plugin gets with the text", async () => {
  site.registerMeta(["_genesis_title", "_genesis_description"]);
  const piece = await pieceWith(SEO);
  expect(await piece.published()).toEqual([CREATION, UPDATE, TITLES, KEYWORDS]);
  await piece.patch({ metaTitle: "Deep beds" });
  expect(await piece.published()).toEqual([UPDATE, TITLES]);
  expect(piece.meta()).toEqual({
    ...STORED,
    _seopress_titles_title: "Deep beds",
    _genesis_title: "Deep beds",
    _genesis_description: "Which wood lasts.",
  });
});

it.each<[number, object]>([
  [403, { code: "error", code_message: "execution_failed" }],
  [403, { code: "rest_forbidden", message: "Sorry, you are not allowed to do that.", data: { status: 403 } }],
  [404, { code: "rest_no_route", message: "No route was found.", data: { status: 404 } }],
])(
  "refuses with %i %j: the piece is published with a note, and the fields stay unsent until they change",
  async (status, body) => {
    const piece = await pieceWith(SEO);
    const undo = seoPressAnswers(status, body);
    const note = expect.stringMatching(/^SEOPress did not accept .*: update SEOPress, or enter them on your site\.$/);
    expect(await publishAll(piece)).toEqual([expect.objectContaining({ success: true, detail: note })]);
    expect(await piece.read()).toMatchObject({ status: "wp_published", publishError: null, isNewerHere: false });
    await piece.patch({ focusKeyword: "beds" });
    expect(await publishAll(piece)).toEqual([expect.objectContaining({ success: true, detail: note })]);
    undo();
    expect(await piece.published()).toEqual([]);
    await piece.patch({ metaTitle: "Deep beds" });
    expect(await piece.published()).toEqual([TITLES]);
  },
);

it.each<[number, unknown]>([
  [500, { code: "internal_server_error", message: "", data: { status: 500 } }],
  [403, "A firewall's page"],
  [429, { code: "too_many", message: "", data: { status: 429 } }],
  [408, { code: "too_slow", message: "", data: { status: 408 } }],
  [503, { code: "wp_die", message: "Briefly unavailable for scheduled maintenance.", data: { status: 503 } }],
  [200, { code: "error" }],
])(
  "does not answer as it should, but with %i %j: the piece is published, and the fields are sent next time",
  async (status, body) => {
    const piece = await pieceWith({ ...SEO, excerpt: "Wood." });
    const undo = seoPressAnswers(status, body);
    const note = expect.stringMatching(/^SEOPress did not answer .*: publish again to send them\.$/);
    expect(await publishAll(piece)).toEqual([expect.objectContaining({ success: true, detail: note })]);
    expect(await piece.read()).toMatchObject({ status: "wp_published", publishError: null, isNewerHere: true });
    undo();
    expect(await piece.published()).toEqual([TITLES, KEYWORDS]);
    expect((await piece.read()).isNewerHere).toBe(false);
  },
);

it("gets the fields from the next publish if the process dies after the text", async () => {
  const piece = await pieceWith(SEO);
  const { reached, open } = holdResponse(site, TO_SEOPRESS);
  const dying = piece.publish();
  await reached;
  const sent = "SELECT sent_fields AS fields FROM piece_posts WHERE content_piece_id = $1";
  expect(await query(sent, [piece.contentId])).toEqual([{ fields: null }]);
  await expireLease(piece.contentId);
  expect(await piece.published()).toEqual([UPDATE, TITLES, KEYWORDS]);
  open();
  expect((await dying).body.type).toBe("ALREADY_RUNNING");
  expect(await query(sent, [piece.contentId])).toEqual([{ fields: SEO }]);
  expect(site.posts()).toHaveLength(1);
});

it("gets nothing once no more work is to begin", async () => {
  const piece = await pieceWith(SEO);
  await piece.publish();
  await piece.patch({ metaTitle: "Deep beds" });
  const { actorFromQueueRow } = await import("@/lib/auth/actor");
  const { NotBegun, openOutbox } = await import("@/lib/features/publishing/writes/outbox");
  const { underLease } = await import("@/lib/features/publishing/writes/lease");
  const { publishPiece } = await import("@/lib/features/publishing/writes/publish");
  const { cachedCategories } = await import("@/lib/features/publishing/writes/category");
  const { connectSite } = await import("@/lib/features/sites/writes/connect");
  const actor = actorFromQueueRow({ userId: piece.id, id: randomUUID() });
  const connected = await connectSite(actor, { projectId: piece.projectId });
  const outbox = openOutbox(connected, actor, { mayBegin: async () => false });
  const wishes = { categories: cachedCategories(connected, actor) };
  const writes = await postWrites(async () => {
    const publishing = underLease(outbox, piece.contentId, (leased) => publishPiece(outbox, leased, wishes));
    await expect(publishing).rejects.toBeInstanceOf(NotBegun);
  });
  expect(writes).toEqual([]);
});

it("gets the fields of each piece when a project is published, and those that changed when it is again", async () => {
  const user = await connectedWorkspace(site);
  const ids: string[] = [];
  for (const metaTitle of ["One", "Two", null]) {
    const id = await newPiece(user, user, { title: `Beds ${metaTitle}`, body: "Deep ones." });
    await user.caller.patch(`/api/content/${id}`, { metaTitle });
    ids.push(id);
  }
  const toSeoPress = async () =>
    (await writesOf(site, () => publishAll(user))).filter((each) => TO_SEOPRESS.test(each));
  expect(await toSeoPress()).toHaveLength(2);
  const titles = () => site.posts().map(({ meta }) => meta?._seopress_titles_title);
  expect(titles().sort()).toEqual(["One", "Two", undefined]);
  expect((await publishAll(user)).map(({ unchanged }) => unchanged)).toEqual([true, true, true]);
  await user.caller.patch(`/api/content/${ids[0]}`, { metaTitle: "Uno" });
  const before = site.requests.length;
  expect((await publishAll(user)).map(({ unchanged }) => unchanged)).toEqual([undefined, true, true]);
  expect(site.requests.slice(before).filter((each) => each.startsWith("POST"))).toEqual([
    expect.stringMatching(TO_SEOPRESS),
  ]);
  expect(titles().sort()).toEqual(["Two", "Uno", undefined]);
});
