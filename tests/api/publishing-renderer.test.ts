import { readFileSync } from "node:fs";
import { startBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newDesk, newPiece } from "@/tests/support/factories";
import { connectedDesk } from "@/tests/support/publishing-desk";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

const mockRenderer = { suffix: "", isBroken: false };
/** Another release of the app makes other HTML of the same text. */
jest.mock("@/lib/workers/post", () => {
  const real = jest.requireActual<typeof import("@/lib/workers/post")>("@/lib/workers/post");
  return {
    renderPostAside: async (userId: string, markdown: string) => {
      if (mockRenderer.isBroken) throw new Error("Broken.");
      return `${await real.renderPostAside(userId, markdown)}${mockRenderer.suffix}`;
    },
  };
});

let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
});
afterAll(() => site.close());
beforeEach(() => {
  Object.assign(mockRenderer, { suffix: "", isBroken: false });
});

function renderDifferently(): void {
  mockRenderer.suffix = "\n\n<!-- wp:paragraph -->\n<p>As rendered today.</p>\n<!-- /wp:paragraph -->";
}

/** A piece that is live on the site. */
async function livePiece(body = "Some *text*.") {
  const desk = await newDesk();
  const { url: wordpressUrl, username: wordpressUsername, applicationPassword: wordpressPassword } = site;
  await desk.caller.patch("/api/user/settings", { wordpressUrl, wordpressUsername, wordpressPassword });
  const id = await newPiece(desk, desk, { title: `Live ${desk.username}`, body });
  const url = `/api/content/${id}`;
  const call = async (verb: "publish" | "sync", input = {}) => {
    const answer = await desk.caller.post(`${url}/${verb}`, input);
    expect(answer.status).toBe(200);
  };
  await call("publish");
  return {
    id,
    publish: (input = {}) => call("publish", input),
    sync: () => call("sync"),
    edit: (change: { title?: string; body?: string; outline?: string; version?: number }) =>
      desk.caller.patch(url, change),
    publishAll: () =>
      desk.caller.post<{ results: object[] }>(`/api/projects/${desk.projectId}/publish-all-to-wordpress`),
    html: () => JSON.stringify(site.posts().find((post) => JSON.stringify(post).includes(desk.username))),
    move: (minutes: number) => moveBack(id, minutes),
  };
}

/** How often the site was written to meanwhile. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const writes = () => site.requests.filter((request) => request.startsWith("POST")).length;
  const before = writes();
  await work();
  return writes() - before;
}

/** All that happened to a piece so far happened so much earlier. */
async function moveBack(id: string, minutes: number): Promise<void> {
  const earlier = [id, `${minutes} minutes`];
  await query(
    `UPDATE content_pieces SET created_at = created_at - $2::interval, updated_at = updated_at - $2::interval,
       last_synced_at = last_synced_at - $2::interval WHERE id = $1::uuid`,
    earlier,
  );
  await query(
    "UPDATE content_revisions SET created_at = created_at - $2::interval WHERE content_piece_id = $1::uuid",
    earlier,
  );
  await query("UPDATE audit_events SET created_at = created_at - $2::interval WHERE subject = $1", earlier);
}

describe("a new renderer", () => {
  it("alone never rewrites a live post, however it is published", async () => {
    const piece = await livePiece();
    renderDifferently();
    expect(await writesOf(() => piece.publish())).toBe(0);
    expect(await writesOf(() => piece.publish({ force: true }))).toBe(0);
    const all = await piece.publishAll();
    expect(all.body.results).toEqual([expect.objectContaining({ success: true, unchanged: true })]);
    expect(piece.html()).not.toContain("As rendered today.");
  });

  it.each([{ body: "Some **other** text." }, { title: "Another title" }])(
    "writes what was changed: %j",
    async (edit) => {
      const piece = await livePiece();
      renderDifferently();
      await piece.edit({ ...edit, ...("title" in edit ? { title: `${edit.title} ${piece.id}` } : {}) });
      expect(await writesOf(() => piece.publish())).toBe(1);
      expect(await writesOf(() => piece.publish())).toBe(0);
      // Back to the first text is a change again.
      await piece.edit({ body: "Some *text*." });
      await piece.edit({ title: `Live again ${piece.id}` });
      expect(await writesOf(() => piece.publish())).toBe(1);
    },
  );

  it("writes another category, and an edit of the outline is none of the post's", async () => {
    const piece = await livePiece();
    renderDifferently();
    await piece.edit({ outline: "## One" });
    expect(await writesOf(() => piece.publish())).toBe(0);
    await piece.publish({ categoryName: "Guides" });
    expect(piece.html()).toContain("As rendered today.");
  });

  it("notes which renderer made what is live", async () => {
    const piece = await livePiece();
    const [row] = await query("SELECT wp_renderer FROM content_pieces WHERE id = $1::uuid", [piece.id]);
    expect(row).toEqual({ wp_renderer: 2 });
  });
});

it("a fault of our own is no result of a piece: publishing the project ends with it", async () => {
  const desk = await connectedDesk(site);
  await newPiece(desk, desk, { body: "A text." });
  mockRenderer.isBroken = true;
  const { publishAll } = await import("@/lib/features/publishing/writes/project");
  const { actorOfSignIn } = await import("@/lib/auth/actor");
  const actor = actorOfSignIn(desk.id, { requestId: "test", address: "test" });
  await expect(publishAll(actor, desk.projectId)).rejects.toThrow("Broken.");
});

describe("a post that an earlier release published", () => {
  /** What such a release left, met by the migration and by a release that renders differently. */
  async function upgrade(id: string): Promise<void> {
    await query("UPDATE content_pieces SET wp_sent_source = NULL, wp_renderer = NULL WHERE id = $1::uuid", [id]);
    const sql = readFileSync("prisma/migrations/20261122110000_sent_source/migration.sql", "utf8");
    await query(sql.replace(/^ALTER TABLE[^;]*;/gm, ""));
    renderDifferently();
  }

  it("is not rewritten when its text was not touched since", async () => {
    const piece = await livePiece('Quotes ", backslashes \\, a tab\t, ünïcode 😀 and\n\n1. lines\u001f\u007f');
    await upgrade(piece.id);
    expect(await writesOf(() => piece.publish())).toBe(0);
    expect(await writesOf(() => piece.publish())).toBe(0);
    await piece.edit({ body: "An edit." });
    expect(await writesOf(() => piece.publish())).toBe(1);
  });

  it("is not rewritten either when it was synced long after its last edit", async () => {
    const piece = await livePiece();
    await piece.edit({ body: "An edit." });
    await piece.move(20);
    await piece.publish();
    await piece.move(20);
    await piece.sync();
    await upgrade(piece.id);
    expect(await writesOf(() => piece.publish())).toBe(0);
  });

  it.each(["at once", "later"])("takes an edit that was never sent, made %s after it was published", async (when) => {
    const piece = await livePiece();
    await piece.edit({ body: "A first edit." });
    await piece.publish();
    if (when === "later") await piece.move(20);
    // Joined to the revision of the first edit, which is older than the publish, when it is made at once.
    await piece.edit({ body: "A second edit.", version: 2 });
    await piece.move(20);
    await piece.sync();
    await upgrade(piece.id);
    expect(await writesOf(() => piece.publish())).toBe(1);
    expect(piece.html()).toContain("A second edit.");
  });

  it("takes what an older process, still running, published after the migration", async () => {
    const piece = await livePiece("The first text.");
    await upgrade(piece.id);
    await piece.edit({ body: "The second text." });
    // The older process knows nothing of the new columns.
    const [kept] = await query<{ source: string }>(
      "SELECT wp_sent_source AS source FROM content_pieces WHERE id = $1::uuid",
      [piece.id],
    );
    mockRenderer.suffix = "";
    await piece.publish();
    await query("UPDATE content_pieces SET wp_sent_source = $2, wp_renderer = NULL WHERE id = $1::uuid", [
      piece.id,
      kept?.source,
    ]);
    renderDifferently();
    await piece.edit({ body: "The first text." });
    expect(await writesOf(() => piece.publish())).toBe(1);
  });

  it("is compared by its HTML where nothing else is known, as before", async () => {
    const piece = await livePiece();
    await query("UPDATE content_pieces SET wp_sent_source = NULL, wp_renderer = NULL WHERE id = $1::uuid", [piece.id]);
    expect(await writesOf(() => piece.publish())).toBe(0);
    // Known from here on.
    renderDifferently();
    expect(await writesOf(() => piece.publish())).toBe(0);
  });
});
