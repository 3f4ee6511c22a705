import { CONTENT_STATES, CONTENT_STATUSES, type ContentStatus } from "@/lib/features/content/states";
import { POST_STATES, type PostState } from "@/lib/features/publishing/states";
import { noFaults } from "@/scripts/samples/wordpress/faults";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { connectedSite, storePost } from "@/tests/support/posts";
import { type Piece, workspaceWithPost, writesOf } from "@/tests/support/publishing-workspace";

const site = suiteBlog();

/** What becomes of the piece, or why it is refused; "=" the status as it was. Then what becomes of the post. */
type Outcome = [piece: string, post: string];

const KEPT = "=";
const LIVE: Outcome = ["wp_published", "publish"];
const TAKEN_BACK: Outcome = ["wp_draft", "draft"];

const OUTCOMES: Record<"publish" | "unpublish" | "sync", Record<PostState, Outcome>> = {
  publish: {
    none: LIVE,
    unanswered: LIVE,
    elsewhere: LIVE,
    publish: LIVE,
    future: LIVE,
    draft: LIVE,
    pending: LIVE,
    private: LIVE,
    other: LIVE,
    trash: ["= REMOTE_TRASHED", KEPT],
    gone: ["unpublished REMOTE_GONE", "forgotten"],
  },
  unpublish: {
    none: ["= NOT_ON_SITE", KEPT],
    unanswered: ["= NOT_ON_SITE", KEPT],
    elsewhere: ["= NOT_ON_SITE", KEPT],
    publish: TAKEN_BACK,
    future: TAKEN_BACK,
    draft: ["wp_draft", KEPT],
    pending: TAKEN_BACK,
    private: TAKEN_BACK,
    other: TAKEN_BACK,
    trash: ["unpublished", KEPT],
    gone: ["unpublished", "forgotten"],
  },
  sync: {
    none: ["= NOT_ON_SITE", KEPT],
    unanswered: ["= NOT_ON_SITE", KEPT],
    elsewhere: ["= NOT_ON_SITE", KEPT],
    publish: ["wp_published", KEPT],
    future: ["wp_draft", KEPT],
    draft: ["wp_draft", KEPT],
    pending: ["wp_draft", KEPT],
    private: ["wp_draft", KEPT],
    other: ["wp_draft", KEPT],
    trash: ["unpublished", KEPT],
    gone: ["unpublished", "forgotten"],
  },
};

type Workspace = Awaited<ReturnType<typeof workspaceWithPost>>;

/** The site has no post of the piece in these. */
const UNKNOWN: PostState[] = ["none", "unanswered", "elsewhere"];

/** A piece in this status with a post in this state; answers what the site says of the post. */
async function place(workspace: Workspace, status: string, state: PostState, postId: number): Promise<string> {
  // What was sent last is not known, so that a publish has something to send.
  const isKnown = !UNKNOWN.includes(state);
  const id = isKnown ? String(state === "gone" ? postId + 100_000 : postId) : null;
  await query("UPDATE content_pieces SET status = $2::content_status WHERE id = $1", [workspace.contentId, status]);
  await storePost(workspace.contentId, await connectedSite(workspace.id, site.url), {
    postId: id,
    status: status.startsWith("wp_") ? status : "unpublished",
    permalink: "https://blog.example/old",
    publishError: "Old",
    unansweredSince: state === "unanswered" ? new Date() : null,
  });
  const former = await connectedSite(workspace.id, "https://former.example", false);
  await storePost(workspace.contentId, former, { postId: state === "elsewhere" ? "77" : null, remoteHash: "another" });
  const says = state === "other" ? "archived" : state;
  if (isKnown && state !== "gone") site.edit(postId, { status: says as "draft" });
  return says;
}

const reached = new Set<ContentStatus>();

/** The table of statuses lets publishing make this of it. */
function expectAllowed(from: ContentStatus, to: ContentStatus): void {
  if (to === from) return;
  expect([from, CONTENT_STATES[from].next.publishing]).toEqual([from, expect.arrayContaining([to])]);
  reached.add(to);
}

const walks = Object.entries(OUTCOMES).flatMap(([verb, outcomes]) =>
  POST_STATES.map((state) => ({ verb: verb as keyof typeof OUTCOMES, state, outcome: outcomes[state] })),
);

describe("what each verb makes of a piece and its post, whatever status the piece had", () => {
  it.each(walks)("$verb, where the post is $state", async ({ verb, state, outcome: [becomes, post] }) => {
    const workspace = await workspaceWithPost(site);
    const postId = Number((await workspace.publish()).body.wpPostId);
    for (const status of CONTENT_STATUSES) {
      const says = await place(workspace, status, state, postId);
      const before = await workspace.read();
      const writes = await writesOf(site, async () => {
        const answer = await workspace.caller.post<Piece>(`${workspace.url}/${verb}`);
        const piece = await workspace.read();
        expectAllowed(status, piece.status);
        const [wanted, refusal = ""] = becomes.split(" ");
        expect([status, piece.status, answer.status === 200 ? "" : answer.body.type]).toEqual([
          status,
          wanted === KEPT ? status : wanted,
          refusal,
        ]);
        expect(piece.wpPostId === null).toBe(post === "forgotten" || (UNKNOWN.includes(state) && refusal !== ""));
        const isLive = refusal === "" && wanted === "wp_published";
        if (isLive) expect(piece.wpPermalink).toContain(workspace.username);
        else if (refusal === "" || post === "forgotten") expect(piece.wpPermalink).toBeNull();
        if (refusal !== "" && post === KEPT) expect(piece).toEqual(before);
        // A refusal is no news of a failure before it; what was found out now is.
        expect([piece.publishError, piece.lastSyncedAt === null]).toEqual(refusal ? ["Old", true] : [null, false]);
      });
      const found = site.posts().find(({ id }) => id === postId);
      if (UNKNOWN.includes(state) || state === "gone") continue;
      expect([status, found?.status]).toEqual([status, post === KEPT ? says : post]);
      if (post === KEPT) expect(writes).toEqual([]);
    }
  });
});

describe("a publish whose write the site refuses or does not answer", () => {
  const refuse = () => {
    site.faults.rewrite = (answer, { method, route }) =>
      method === "POST" && route.startsWith("/wp/v2/posts")
        ? { status: 400, body: { code: "no", message: "Not today.", data: null } }
        : answer;
  };
  const lose = () => {
    site.faults.failAfterUpdate = 1;
  };

  it.each([
    ["refused", "none", refuse],
    ["refused", "publish", refuse],
    ["unanswered", "none", lose],
    ["unanswered", "publish", lose],
  ] as const)("%s, where the post is %s: failed, unless it is live", async (_how, state, fail) => {
    const workspace = await workspaceWithPost(site);
    const postId = Number((await workspace.publish()).body.wpPostId);
    for (const status of CONTENT_STATUSES) {
      await place(workspace, status, state, postId);
      fail();
      const { body } = await workspace.publish();
      Object.assign(site.faults, noFaults());
      expect([status, body.type]).toEqual([status, "WORDPRESS_REJECTED"]);
      const isLive = status === "wp_published";
      const piece = await workspace.read();
      expectAllowed(status, piece.status);
      expect(piece).toMatchObject({
        status: isLive ? "wp_published" : "wp_failed",
        publishError: isLive ? "Old" : body.error,
      });
    }
  });

  it.each(["unpublish", "sync"] as const)("%s leaves the piece as it was when the site fails", async (verb) => {
    const workspace = await workspaceWithPost(site);
    const postId = Number((await workspace.publish()).body.wpPostId);
    for (const status of CONTENT_STATUSES) {
      await place(workspace, status, "publish", postId);
      const before = await workspace.read();
      site.faults.rewrite = (answer, { route }) =>
        route === `/wp/v2/posts/${postId}` ? { status: 500, body: {} } : answer;
      expect((await workspace.caller.post<Piece>(`${workspace.url}/${verb}`)).status).toBe(502);
      Object.assign(site.faults, noFaults());
      expect(await workspace.read()).toEqual(before);
    }
  });
});

it("reaches each status that publishing may set, and no other", () => {
  expect([...reached].sort()).toEqual(["unpublished", "wp_draft", "wp_failed", "wp_published"]);
});
