import type { ContentOut, RevisionOut, RevisionSummary } from "@/lib/features/content/schema";
import { noFaults } from "@/scripts/samples/wordpress/faults";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace, revisionsOf } from "@/tests/support/factories";

type Refused = { type: string; error: string };

const HALF_A_MEGABYTE = "word of mouth ".repeat(35_000);
const GONE = "This revision was not found. It may have been removed.";

const site = suiteBlog();

async function pieceWithRevision(texts: { title?: string; body?: string; outline?: string } = {}) {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { body: "The first text." });
  const url = `/api/content/${id}`;
  await workspace.caller.patch(url, { body: "The second text.", ...texts });
  const list = () => workspace.caller.get<RevisionSummary[]>(`${url}/revisions`);
  return { ...workspace, owner: workspace, id, url, list };
}

describe("the list of revisions", () => {
  it("describes each without its texts", async () => {
    const { list } = await pieceWithRevision({ title: "Late frost", outline: "## One" });
    const { body, text } = await list();
    expect(body).toEqual([
      {
        id: expect.any(String),
        version: 2,
        author: "user",
        title: "Late frost",
        wordCount: 3,
        excerpt: { of: "body", text: "The second text." },
        model: null,
        promptVersion: null,
        createdAt: expect.any(String),
      },
      expect.objectContaining({ version: 1, wordCount: 3, excerpt: { of: "body", text: "The first text." } }),
    ]);
    expect(text).not.toMatch(/"(body|outline)":/);
  });

  it("shows how a text begins: the outline if there is no body, and nothing without either", async () => {
    const { url, list, caller } = await pieceWithRevision();
    const begins = async (change: object) => {
      await caller.patch(url, change);
      return (await list()).body[0]?.excerpt;
    };
    expect(await begins({ body: "  ", outline: "## One\nIt opens." })).toEqual({
      of: "outline",
      text: "## One\nIt opens.",
    });
    expect(await begins({ outline: null })).toBeNull();
    const { text } = (await begins({ body: "😀".repeat(1_000) })) ?? { text: "" };
    expect([...text]).toEqual(Array(160).fill("😀"));
  });

  it("stays small over fifty texts of half a megabyte", async () => {
    const { id, list } = await pieceWithRevision();
    await query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline)
       SELECT $1, 2 + n, 'user', 'Title ' || n, $2, $3 FROM generate_series(1, 50) n`,
      [id, HALF_A_MEGABYTE, "## Heading\n".repeat(9_000)],
    );
    const began = process.cpuUsage();
    const { body, text } = await list();
    const { user, system } = process.cpuUsage(began);
    expect(body).toHaveLength(50);
    expect(body.map(({ wordCount }) => wordCount)).toEqual(Array(50).fill(105_000));
    process.stdout.write(
      `50 revisions of half a megabyte: a list of ${text.length} bytes, ${Math.round((user + system) / 1000)} ms of CPU\n`,
    );
    expect(text.length).toBeLessThan(50_000);
    expect(user + system).toBeLessThan(500_000);
  });

  it("comes in pages of fifty by default, down to the oldest", async () => {
    const { id, url, caller } = await pieceWithRevision();
    await query(
      `INSERT INTO content_revisions (content_piece_id, author, title, body, created_at)
       SELECT $1, 'ai', 'Title', 'text ' || n, now() - (n / 2) * interval '1 day' FROM generate_series(1, 120) n`,
      [id],
    );
    const pages: RevisionSummary[][] = [];
    let next: string | undefined = `${url}/revisions`;
    while (next && pages.length < 10) {
      const page: Awaited<ReturnType<typeof caller.get<RevisionSummary[]>>> = await caller.get(next);
      pages.push(page.body);
      next = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 22]);
    expect(new Set(pages.flat().map((revision) => revision.id)).size).toBe(122);
    expect(pages.flat().map(({ createdAt }) => createdAt)).toEqual(
      pages
        .flat()
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    expect((await caller.get<RevisionSummary[]>(`${url}/revisions?limit=2`)).body).toEqual(pages[0]?.slice(0, 2));
    const odd = Buffer.from("2026-01-01T00:00:00.000Z no-uuid").toString("base64url");
    expect((await caller.get<RevisionSummary[]>(`${url}/revisions?cursor=${odd}`)).body).toEqual(pages[0]);
  });
});

describe("one revision", () => {
  it("has its exact texts", async () => {
    const { url, list, caller } = await pieceWithRevision({ outline: "## One\n\nIt opens." });
    const [newest] = (await list()).body;
    const { status, body } = await caller.get<RevisionOut>(`${url}/revisions/${newest?.id}`);
    expect([status, body]).toEqual([200, { ...newest, body: "The second text.", outline: "## One\n\nIt opens." }]);
  });

  it("is readable by its owner only, under its own piece", async () => {
    const { url, list, caller, owner } = await pieceWithRevision();
    const [newest] = (await list()).body;
    const stranger = await newWorkspace();
    const sibling = await newPiece(owner, owner);
    for (const [who, path] of [
      [stranger.caller, `${url}/revisions/${newest?.id}`],
      [caller, `/api/content/${sibling}/revisions/${newest?.id}`],
      [caller, `${url}/revisions/00000000-0000-4000-8000-000000000000`],
    ] as const) {
      const refused = await who.get<Refused>(path);
      expect([refused.status, refused.body.type, refused.body.error]).toEqual([404, "NOT_FOUND", GONE]);
      const restored = await who.post<Refused>(`${path}/restore`);
      expect([restored.status, restored.body.error]).toEqual([404, GONE]);
    }
    expect((await stranger.caller.get(`${url}/revisions`)).status).toBe(404);
    expect((await caller.get<ContentOut>(url)).body.version).toBe(2);
  });
});

describe("a published text", () => {
  it("is kept besides an edit of the same session, but not if publishing failed", async () => {
    const { caller, url, id } = await pieceWithRevision();
    const { url: wordpressUrl, username: wordpressUsername, applicationPassword: wordpressPassword } = site;
    await caller.patch("/api/user/settings", { wordpressUrl, wordpressUsername, wordpressPassword });
    const publish = () => caller.post<ContentOut>(`${url}/publish`);
    const save = async (body: string) => {
      const { version } = (await caller.get<ContentOut>(url)).body;
      await caller.patch(url, { body, version });
    };
    await save("Never sent.");
    site.faults.tooLarge = true;
    expect((await publish()).status).not.toBe(200);
    Object.assign(site.faults, noFaults());
    await save("On the site.");
    expect((await publish()).body.status).toBe("wp_published");
    await save("An edit after it.");
    expect((await publish()).body.status).toBe("wp_published");
    await save("Another edit.");
    const bodies = (await revisionsOf({ caller }, url)).map(({ body }) => body);
    expect(bodies).toEqual(["Another edit.", "An edit after it.", "On the site.", "The first text."]);
    const published = await query(
      "SELECT version FROM content_revisions WHERE content_piece_id = $1 AND published_at IS NOT NULL",
      [id],
    );
    expect(published).toHaveLength(2);
  });
});
