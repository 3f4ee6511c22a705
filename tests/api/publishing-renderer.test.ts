import { readFileSync } from "node:fs";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import { connectedWorkspace } from "@/tests/support/publishing-workspace";

const mockRenderer = { suffix: "", breaksOn: "" };
/** Simulates another release that renders other HTML from the same text. */
jest.mock("@/lib/workers/post", () => {
  const real = jest.requireActual<typeof import("@/lib/workers/post")>("@/lib/workers/post");
  return {
    renderPostInWorker: async (userId: string, markdown: string, title: string) => {
      if (mockRenderer.breaksOn && markdown.includes(mockRenderer.breaksOn)) throw new Error("Broken.");
      return `${await real.renderPostInWorker(userId, markdown, title)}${mockRenderer.suffix}`;
    },
  };
});

const site = suiteBlog();

beforeEach(() => {
  Object.assign(mockRenderer, { suffix: "", breaksOn: "" });
});

function renderDifferently(): void {
  mockRenderer.suffix = "\n\n<!-- wp:paragraph -->\n<p>As rendered today.</p>\n<!-- /wp:paragraph -->";
}

/** A piece that is live on the site. */
async function livePiece(body = "Some *text*.") {
  const workspace = await newWorkspace();
  const { url: wordpressUrl, username: wordpressUsername, applicationPassword: wordpressPassword } = site;
  await workspace.caller.patch("/api/user/settings", { wordpressUrl, wordpressUsername, wordpressPassword });
  const id = await newPiece(workspace, workspace, { title: `Live ${workspace.username}`, body });
  const url = `/api/content/${id}`;
  const call = async (verb: "publish" | "sync", input = {}) => {
    const answer = await workspace.caller.post(`${url}/${verb}`, input);
    expect(answer.status).toBe(200);
  };
  await call("publish");
  return {
    id,
    publish: (input = {}) => call("publish", input),
    sync: () => call("sync"),
    edit: (change: { title?: string; body?: string; outline?: string; version?: number }) =>
      workspace.caller.patch(url, change),
    publishAll: () =>
      workspace.caller.post<{ results: object[] }>(`/api/projects/${workspace.projectId}/publish-all-to-wordpress`),
    html: () => JSON.stringify(site.posts().find((post) => JSON.stringify(post).includes(workspace.username))),
    move: (minutes: number) => moveBack(id, minutes),
  };
}

/** The number of writes to the site during the work. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const writes = () => site.requests.filter((request) => request.startsWith("POST")).length;
  const before = writes();
  await work();
  return writes() - before;
}

/** Moves everything that happened to the piece into the past. */
async function moveBack(id: string, minutes: number): Promise<void> {
  const earlier = [id, `${minutes} minutes`];
  await query(
    `UPDATE content_pieces SET created_at = created_at - $2::interval, updated_at = updated_at - $2::interval
     WHERE id = $1::uuid`,
    earlier,
  );
  await query(
    "UPDATE piece_posts SET last_synced_at = last_synced_at - $2::interval WHERE content_piece_id = $1::uuid",
    earlier,
  );
  await query(
    "UPDATE content_revisions SET created_at = created_at - $2::interval WHERE content_piece_id = $1::uuid",
    earlier,
  );
  await query("UPDATE audit_events SET created_at = created_at - $2::interval WHERE subject = $1", earlier);
}

describe("a new renderer", () => {
  it("never rewrites a live post by itself, however it is published", async () => {
    const piece = await livePiece();
    renderDifferently();
    expect(await writesOf(() => piece.publish())).toBe(0);
    expect(await writesOf(() => piece.publish({ force: true }))).toBe(0);
    const all = await piece.publishAll();
    expect(all.body.results).toEqual([expect.objectContaining({ success: true, unchanged: true })]);
    expect(piece.html()).not.toContain("As rendered today.");
    // It is not even rendered.
    mockRenderer.breaksOn = "text";
    await piece.publish();
  });

  it.each([{ body: "Some **other** text." }, { title: "Another title" }])("writes a change: %j", async (edit) => {
    const piece = await livePiece();
    renderDifferently();
    await piece.edit({ ...edit, ...("title" in edit ? { title: `${edit.title} ${piece.id}` } : {}) });
    expect(await writesOf(() => piece.publish())).toBe(1);
    expect(await writesOf(() => piece.publish())).toBe(0);
    // Going back to the first text is another change.
    await piece.edit({ body: "Some *text*." });
    await piece.edit({ title: `Live again ${piece.id}` });
    expect(await writesOf(() => piece.publish())).toBe(1);
  });

  it("writes a new category, and ignores an edit of the outline", async () => {
    const piece = await livePiece();
    renderDifferently();
    await piece.edit({ outline: "## One" });
    expect(await writesOf(() => piece.publish())).toBe(0);
    await piece.publish({ categoryName: "Guides" });
    expect(piece.html()).toContain("As rendered today.");
  });

  it("records which renderer made the live post", async () => {
    const piece = await livePiece();
    const [row] = await query("SELECT renderer FROM piece_posts WHERE content_piece_id = $1::uuid", [piece.id]);
    expect(row).toEqual({ renderer: RENDERER_VERSION });
  });
});

it("a fault of our own fails its piece, and the others are published", async () => {
  const workspace = await connectedWorkspace(site);
  await newPiece(workspace, workspace, { body: "A text." });
  const broken = await newPiece(workspace, workspace, { body: "Another text." });
  mockRenderer.breaksOn = "Another";
  const { publishAll } = await import("@/lib/features/publishing/writes/project");
  const { actorFromSignIn } = await import("@/lib/auth/actor");
  const actor = actorFromSignIn(workspace.id, { requestId: "test", address: "test" });
  const { results } = await publishAll(actor, workspace.projectId);
  expect(results).toEqual([
    expect.objectContaining({ success: true }),
    expect.objectContaining({ contentId: broken, success: false, type: "INTERNAL" }),
  ]);
  const { publishContent } = await import("@/lib/features/publishing/writes/publish");
  await expect(publishContent(actor, broken, {})).rejects.toThrow("Broken.");
});

describe("a post that an earlier release published", () => {
  /** A post of such a release, after the migration and under a release that renders differently. */
  async function upgrade(id: string): Promise<void> {
    const sql = readFileSync("prisma/migrations/20261122110000_sent_source/migration.sql", "utf8");
    // What is in piece_posts today was in the piece's own row.
    await query("ALTER TABLE content_pieces ADD COLUMN wp_sent_hash TEXT, ADD COLUMN wp_sent_source TEXT");
    await query(
      "UPDATE content_pieces p SET wp_sent_hash = w.sent_hash FROM piece_posts w WHERE w.content_piece_id = p.id",
    );
    await query(sql.replace(/^ALTER TABLE[^;]*;/gm, ""));
    await query(
      `UPDATE piece_posts w SET sent_source = p.wp_sent_source, renderer = NULL FROM content_pieces p
       WHERE p.id = w.content_piece_id AND p.id = $1::uuid`,
      [id],
    );
    await query("ALTER TABLE content_pieces DROP COLUMN wp_sent_hash, DROP COLUMN wp_sent_source");
    renderDifferently();
  }

  it("is not rewritten when its text is unchanged", async () => {
    const piece = await livePiece('Quotes ", backslashes \\, a tab\t, ünïcode 😀 and\n\n1. lines\u001f\u007f');
    await upgrade(piece.id);
    expect(await writesOf(() => piece.publish())).toBe(0);
    expect(await writesOf(() => piece.publish())).toBe(0);
    await piece.edit({ body: "An edit." });
    expect(await writesOf(() => piece.publish())).toBe(1);
  });

  it("is not rewritten when it was synced long after its last edit", async () => {
    const piece = await livePiece();
    await piece.edit({ body: "An edit." });
    await piece.move(20);
    await piece.publish();
    await piece.move(20);
    await piece.sync();
    await upgrade(piece.id);
    expect(await writesOf(() => piece.publish())).toBe(0);
  });

  it.each(["at once", "later"])("gets an unsent edit made %s after it was published", async (when) => {
    const piece = await livePiece();
    await piece.edit({ body: "A first edit." });
    await piece.publish();
    if (when === "later") await piece.move(20);
    // Made at once, it joins the first edit's revision, which is older than the publish.
    await piece.edit({ body: "A second edit.", version: 2 });
    await piece.move(20);
    await piece.sync();
    await upgrade(piece.id);
    expect(await writesOf(() => piece.publish())).toBe(1);
    expect(piece.html()).toContain("A second edit.");
  });

  it("accepts what an older, still running process publishes after the migration", async () => {
    const piece = await livePiece("The first text.");
    await upgrade(piece.id);
    await piece.edit({ body: "The second text." });
    // The older process does not write the new columns.
    const [kept] = await query<{ source: string }>(
      "SELECT sent_source AS source FROM piece_posts WHERE content_piece_id = $1::uuid",
      [piece.id],
    );
    mockRenderer.suffix = "";
    await piece.publish();
    await query("UPDATE piece_posts SET sent_source = $2, renderer = NULL WHERE content_piece_id = $1::uuid", [
      piece.id,
      kept?.source,
    ]);
    renderDifferently();
    await piece.edit({ body: "The first text." });
    expect(await writesOf(() => piece.publish())).toBe(1);
  });

  it("is compared by its HTML when nothing else is recorded", async () => {
    const piece = await livePiece();
    await query("UPDATE piece_posts SET sent_source = NULL, renderer = NULL WHERE content_piece_id = $1::uuid", [
      piece.id,
    ]);
    expect(await writesOf(() => piece.publish())).toBe(0);
    // Recorded from here on.
    renderDifferently();
    expect(await writesOf(() => piece.publish())).toBe(0);
  });
});
