import type { ContentOut } from "@/lib/features/content/schema";
import type { RestAnswer } from "@/scripts/samples/wordpress/rest-answers";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

type Failed = { type: string; error: string; detail?: string };
type Piece = ContentOut & Failed;
type Category = { id: number; name: string };

const site = suiteBlog();

const FIVE_MEGABYTES = 5_000_000;
const RUN = `e${"\u0300\u0316".repeat(100_000)}`;

async function connectedPiece() {
  const workspace = await newWorkspace();
  const { url, username, applicationPassword } = site;
  await workspace.caller.patch("/api/user/settings", {
    wordpressUrl: url,
    wordpressUsername: username,
    wordpressPassword: applicationPassword,
  });
  const id = await newPiece(workspace, workspace, { title: `A post ${workspace.username}`, body: "Some text." });
  return { ...workspace, url: `/api/content/${id}` };
}

/** The site returns these fields for every post. */
function sayOfPosts(words: object): void {
  site.faults.rewrite = (answer, { route }) =>
    answer.status < 300 && /^\/wp\/v2\/posts\/\d+$/.test(route)
      ? { ...answer, body: { ...(answer.body as object), ...words } }
      : answer;
}

/** The site refuses every write of a post with this message. */
function refuseIn(message: string): void {
  site.faults.rewrite = (answer, { method, route }): RestAnswer =>
    method === "POST" && route.startsWith("/wp/v2/posts")
      ? { status: 400, body: { code: `odd\0${message}`, message, data: null } }
      : answer;
}

describe("a hostile site's response about a post", () => {
  it.each([
    ["a NUL in its link", { link: "https://blog.example/a\0b" }, "https://blog.example/ab"],
    ["half a character in its link", { link: "https://blog.example/\uD800" }, "https://blog.example/\uFFFD"],
    ["a link of five megabytes", { link: `https://blog.example/${"x".repeat(FIVE_MEGABYTES)}` }, null],
    ["a link of marks", { link: `https://blog.example/${RUN}` }, null],
  ])("with %s is stored clean, and the piece is live", async (_what, words, wpPermalink) => {
    const { caller, url } = await connectedPiece();
    sayOfPosts(words);
    const published = await caller.post<Piece>(`${url}/publish`);
    expect([published.status, published.body.error]).toEqual([200, undefined]);
    expect(published.body).toMatchObject({ status: "wp_published", wpPermalink, publishError: null });
    const synced = await caller.post<Piece>(`${url}/sync`);
    expect([synced.status, synced.body.status, synced.body.wpPermalink]).toEqual([200, "wp_published", wpPermalink]);
    const [stored] = await query("SELECT p::text AS row FROM content_pieces p WHERE id = $1", [published.body.id]);
    expect(stored?.row.length).toBeLessThan(5_000);
  });

  it.each([
    ["a link that is a number", { link: 12 }],
    ["no link", { link: null }],
    ["no title", { title: {} }],
    ["a list as its id", { id: [1] }],
    ["an impossible id", { id: 1e300 }],
  ])("with %s leaves no live post with a draft piece, and no second post", async (_what, words) => {
    const { caller, url, username } = await connectedPiece();
    sayOfPosts(words);
    const published = await caller.post<Piece>(`${url}/publish`);
    const { body } = await caller.get<Piece>(url);
    const live = () => site.posts().filter((post) => post.title.includes(username) && post.status === "publish");
    expect([published.status, body.status, live().length]).toEqual([502, "wp_failed", 1]);
    expect(body.publishError).toMatch(/^[A-Z].*\.$/);
    site.faults.rewrite = null;
    expect((await caller.post<Piece>(`${url}/publish`)).body.status).toBe("wp_published");
    expect(live()).toHaveLength(1);
  });

  it.each([
    ["with a NUL", "no\0way"],
    ["with halves of characters", "no\uD800 &#xD800; way"],
    ["of three megabytes", "no ".repeat(1_000_000)],
    ["of marks", `no${RUN}`],
    ["of brackets", "no<".repeat(1_000_000)],
  ])("with an error %s is stored clean and short", async (_what, message) => {
    const { caller, url } = await connectedPiece();
    refuseIn(message);
    const refused = await caller.post<Failed>(`${url}/publish`);
    expect([refused.status, refused.body.type]).toEqual([502, "WORDPRESS_REJECTED"]);
    expect(refused.body.error).toMatch(/The site says: no/);
    const { body } = await caller.get<Piece>(url);
    expect(body).toMatchObject({ status: "wp_failed", publishError: refused.body.error });
    expect(body.publishError?.length).toBeLessThan(500);
    expect(body.publishError).not.toMatch(/\0|\p{Cs}|\p{M}{31}/u);
  });
});

describe("a hostile site's categories", () => {
  const rename = (name: string) => {
    site.faults.rewrite = (answer, { route }) =>
      route === "/wp/v2/categories" && Array.isArray(answer.body)
        ? { ...answer, body: [{ id: 1, name, parent: 0, count: 0 }] }
        : answer;
  };

  it.each([
    ["a NUL", "Gar\0den", "Garden"],
    ["five megabytes", "x".repeat(FIVE_MEGABYTES), "x".repeat(200)],
    ["marks", `Gard${RUN}`, `Gard\u00e8${"\u0316".repeat(15)}${"\u0300".repeat(14)}`],
  ])("are listed clean and short when a name has %s", async (_what, name, listed) => {
    const { caller } = await connectedPiece();
    rename(name);
    const answer = await caller.get<Category[]>("/api/wordpress/categories");
    expect(answer.body).toEqual([{ id: 1, name: listed.normalize("NFC"), parent: 0 }]);
  });

  it("are refused when they are millions of values, without blocking other requests", async () => {
    const { caller } = await connectedPiece();
    const many = Array.from({ length: 1_000_000 }, () => ({}));
    site.faults.rewrite = (answer, { route }) =>
      route === "/wp/v2/categories" ? { ...answer, body: { many } } : answer;
    const answer = await caller.get<Failed>("/api/wordpress/categories");
    expect([answer.status, answer.body.type]).toEqual([502, "CONNECTION_ERROR"]);
  });
});
