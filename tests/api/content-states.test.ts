import type { ContentOut } from "@/lib/features/content/schema";
import { CONTENT_STATES, CONTENT_STATUSES, type ContentStatus, LOCKED_STATUSES } from "@/lib/features/content/states";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newDesk, newPiece } from "@/tests/support/factories";
import { noFaults } from "@/tests/support/wordpress/faults";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
});
afterAll(() => site.close());
afterEach(() => Object.assign(site.faults, noFaults()));

it("are the database's", async () => {
  const labels = await query<{ label: string }>(
    "SELECT enumlabel AS label FROM pg_enum WHERE enumtypid = 'content_status'::regtype ORDER BY enumsortorder",
  );
  expect(labels.map(({ label }) => label)).toEqual([...CONTENT_STATUSES]);
});

describe("a person", () => {
  it.each(CONTENT_STATUSES)("sets after %s what the table says, and nothing else", async (from) => {
    const desk = await newDesk();
    const id = await newPiece(desk, desk, { body: "A text." });
    const isLocked = LOCKED_STATUSES.includes(from);
    for (const to of CONTENT_STATUSES) {
      await query("UPDATE content_pieces SET status = $2::content_status WHERE id = $1", [id, from]);
      const { status, body } = await desk.caller.patch<ContentOut & { type?: string }>(`/api/content/${id}`, {
        status: to,
      });
      const follows = to === from || CONTENT_STATES[from].next.person.some((each) => each === to);
      const refused = isLocked ? [409, "STATUS_LOCKED"] : [400, "VALIDATION_ERROR"];
      expect([to, status, body.type ?? body.status]).toEqual([to, ...(follows ? [200, to] : refused)]);
    }
  });
});

type Work = { verb: "publish" | "unpublish" | "sync"; remote?: "draft" | "trash"; isRefused?: boolean };

describe("publishing", () => {
  const reached = new Set<ContentStatus>();

  it.each<[string, Work]>([
    ["a publish", { verb: "publish" }],
    ["a publish that is refused", { verb: "publish", isRefused: true }],
    ["an unpublish", { verb: "unpublish" }],
    ["an unpublish of a trashed post", { verb: "unpublish", remote: "trash" }],
    ["a sync", { verb: "sync" }],
    ["a sync with a draft", { verb: "sync", remote: "draft" }],
    ["a sync with a trashed post", { verb: "sync", remote: "trash" }],
  ])("makes of every status by %s what the table says", async (_what, { verb, remote, isRefused }) => {
    const desk = await newDesk();
    const { url: wordpressUrl, username: wordpressUsername, applicationPassword: wordpressPassword } = site;
    await desk.caller.patch("/api/user/settings", { wordpressUrl, wordpressUsername, wordpressPassword });
    const id = await newPiece(desk, desk, { title: `States ${desk.username}`, body: "A text." });
    const url = `/api/content/${id}`;
    const postId = Number((await desk.caller.post<ContentOut>(`${url}/publish`)).body.wpPostId);
    for (const from of CONTENT_STATUSES) {
      await desk.caller.patch(url, { body: `A text before ${from}.` });
      await query("UPDATE content_pieces SET status = $2::content_status WHERE id = $1", [id, from]);
      site.edit(postId, { status: remote ?? "publish" });
      site.faults.tooLarge = isRefused ?? false;
      await desk.caller.post(`${url}/${verb}`);
      const to = (await desk.caller.get<ContentOut>(url)).body.status;
      expect([from, to, to === from || CONTENT_STATES[from].next.publishing.includes(to)]).toEqual([from, to, true]);
      if (to !== from) reached.add(to);
    }
  });

  it("reaches each of its statuses", () => {
    expect([...reached].sort()).toEqual(["unpublished", "wp_draft", "wp_failed", "wp_published"]);
  });
});
