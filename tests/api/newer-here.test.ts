import type { ContentGroup, ContentSummary } from "@/lib/features/content/schema";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece } from "@/tests/support/factories";
import { moveTo, workspaceWithPost, writesOf } from "@/tests/support/publishing-workspace";

// A live piece is newer here if its title or body is another than was sent to the site last.

let site: SampleWordPress;
let other: SampleWordPress;

beforeAll(async () => {
  [site, other] = [await startBlog(), await startBlog()];
});
afterAll(() => Promise.all([site.close(), other.close()]));

const TITLE = 'A "title" & more';
const BODY = 'Quotes ", backslashes \\, a tab\t, ünïcode 😀\u2028 and\n\n1. lines\u001f\u007f';

/** A live piece, and whether the piece, the list and the filter all call it newer here. */
async function livePiece() {
  const workspace = await workspaceWithPost(site, BODY);
  const { caller, contentId, url } = workspace;
  const edit = (change: object) => caller.patch<ContentSummary>(url, change);
  await edit({ title: TITLE });
  expect((await workspace.publish()).body.status).toBe("wp_published");
  async function isNewer(): Promise<boolean> {
    const [listed] = (await caller.get<ContentSummary[]>("/api/content")).body;
    const found = (await caller.get<ContentSummary[]>("/api/content?newerHere=true")).body;
    const groups = (await caller.get<ContentGroup[]>("/api/content/groups?newerHere=true")).body;
    const { isNewerHere } = await workspace.read();
    expect([listed?.isNewerHere, found.length, groups.length]).toEqual([
      isNewerHere,
      Number(isNewerHere),
      Number(isNewerHere),
    ]);
    return isNewerHere;
  }
  return { ...workspace, contentId, edit, isNewer };
}

const sentVersion = async (id: string) =>
  (await query("SELECT sent_version FROM piece_posts WHERE content_piece_id = $1", [id]))[0]?.sent_version;

describe("a live piece", () => {
  it.each([{ body: "Another text." }, { title: "Another title" }])(
    "is newer here after an edit, until it is updated: %j",
    async (change) => {
      const piece = await livePiece();
      expect(await piece.isNewer()).toBe(false);
      expect((await piece.edit(change)).body.isNewerHere).toBe(true);
      expect(await piece.isNewer()).toBe(true);
      expect((await piece.publish()).body.isNewerHere).toBe(false);
      expect(await piece.isNewer()).toBe(false);
    },
  );

  it("is not newer here for another outline, nor once it has the text again that was sent", async () => {
    const piece = await livePiece();
    await piece.edit({ outline: "## Another" });
    expect(await piece.isNewer()).toBe(false);
    await piece.edit({ title: "Another title", body: "Another text." });
    expect(await piece.isNewer()).toBe(true);
    await piece.edit({ title: TITLE, body: BODY });
    expect(await piece.isNewer()).toBe(false);
  });

  it("is not newer here because the post was edited on the site, which an update does not overwrite unasked", async () => {
    const piece = await livePiece();
    const [post] = site.posts().slice(-1);
    site.edit(Number(post?.id), { content: "Edited there." });
    await piece.caller.post(`${piece.url}/sync`, {});
    expect(await piece.isNewer()).toBe(false);
    await piece.edit({ body: "Edited here." });
    expect(await piece.isNewer()).toBe(true);
    const writes = await writesOf(site, async () => {
      expect((await piece.publish()).body.type).toBe("REMOTE_CHANGED");
    });
    expect([writes, await piece.isNewer()]).toEqual([[], true]);
    await piece.publish({ force: true });
    expect(await piece.isNewer()).toBe(false);
  });

  it.each([
    ["it is not known what was sent", "sent_source = NULL"],
    ["nothing was sent", "sent_hash = NULL, sent_source = NULL, sent_version = NULL"],
  ])("is newer here where %s", async (_why, change) => {
    const piece = await livePiece();
    await query(`UPDATE piece_posts SET ${change} WHERE content_piece_id = $1`, [piece.contentId]);
    expect(await piece.isNewer()).toBe(true);
    await piece.publish();
    expect(await piece.isNewer()).toBe(false);
  });

  it("is not compared by its text while it has the version that was sent, which takes long for thousands of pieces", async () => {
    const piece = await livePiece();
    await query("UPDATE content_pieces SET body = 'Another text of this version.' WHERE id = $1", [piece.contentId]);
    expect(await piece.isNewer()).toBe(false);
  });
});

it("a piece that is not live is not newer here", async () => {
  const piece = await livePiece();
  await newPiece(piece, piece, { title: "Never published", body: "A text." });
  await piece.edit({ body: "Another text." });
  await piece.caller.post(`${piece.url}/unpublish`, {});
  expect((await piece.read()).isNewerHere).toBe(false);
  expect((await piece.caller.get("/api/content?newerHere=true")).body).toEqual([]);
  expect((await piece.caller.get("/api/content/groups?newerHere=true")).body).toEqual([]);
});

it("compares each site with the text that was sent there", async () => {
  const piece = await livePiece();
  await piece.edit({ body: "The text of the other site." });
  await moveTo(piece, other);
  expect(await piece.isNewer()).toBe(false);
  await piece.publish();
  expect(await piece.isNewer()).toBe(false);
  await moveTo(piece, site);
  expect(await piece.isNewer()).toBe(true);
});

it("a post on a copy of the site keeps what was sent, with its version", async () => {
  const piece = await livePiece();
  const copy = await site.copy();
  await moveTo(piece, copy);
  await query("UPDATE content_pieces SET version = version + 7 WHERE id = $1", [piece.contentId]);
  await piece.caller.post(`${piece.url}/sync`, {});
  const rows = await query("SELECT post_id, sent_source, sent_version FROM piece_posts WHERE content_piece_id = $1", [
    piece.contentId,
  ]);
  expect(rows[0]).toEqual(rows[1]);
  expect(rows[1]?.sent_version).toEqual(expect.any(Number));
  await copy.close();
});

describe("a process of the release before", () => {
  it("which sends a text after the migration without its version hides no change", async () => {
    const piece = await livePiece();
    await query("UPDATE piece_posts SET sent_source = 'of another text' WHERE content_piece_id = $1", [
      piece.contentId,
    ]);
    expect(await piece.isNewer()).toBe(true);
  });

  it("leaves the version where it sends the same text", async () => {
    const piece = await livePiece();
    const before = await sentVersion(piece.contentId);
    await query("UPDATE piece_posts SET sent_source = sent_source WHERE content_piece_id = $1", [piece.contentId]);
    expect([before, await sentVersion(piece.contentId)]).toEqual([2, 2]);
  });

  it("has left posts whose versions the migration finds by their texts", async () => {
    const [same, edited] = [await livePiece(), await livePiece()];
    await edited.edit({ body: "Another text." });
    await query("UPDATE piece_posts SET sent_version = NULL WHERE content_piece_id = ANY($1)", [
      [same.contentId, edited.contentId],
    ]);
    expect([await same.isNewer(), await edited.isNewer()]).toEqual([false, true]);
    const { readFileSync } = await import("node:fs");
    const sql = readFileSync("prisma/migrations/20261130110000_sent_version/migration.sql", "utf8");
    await query(sql.match(/^UPDATE[^;]*;/m)?.[0] ?? "");
    expect([await sentVersion(same.contentId), await sentVersion(edited.contentId)]).toEqual([2, null]);
  });
});
