import { MAX_COMPARED } from "@/lib/features/publishing/rules";
import type { ProjectRenderingChanges, RenderingChanges } from "@/lib/features/publishing/schema";
import { RENDERER_VERSION } from "@/lib/wordpress/renderer";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";
import { connectedWorkspace, moveTo } from "@/tests/support/publishing-workspace";

const mockRenderer = { isOld: false };
/** Simulates an earlier release, which made one line of two and knew no text that was too complex, and a busy moment. */
jest.mock("@/lib/workers/post", () => {
  const real = jest.requireActual<typeof import("@/lib/workers/post")>("@/lib/workers/post");
  const { AppError } = jest.requireActual<typeof import("@/lib/errors")>("@/lib/errors");
  return {
    renderPostInWorker: async (userId: string, markdown: string, title: string) => {
      if (markdown.includes("too complex") && !mockRenderer.isOld) throw new AppError("TOO_COMPLEX");
      if (markdown.includes("busy") && !mockRenderer.isOld) throw new AppError("SERVICE_UNAVAILABLE");
      return real.renderPostInWorker(userId, mockRenderer.isOld ? markdown.replaceAll("\\\n", " ") : markdown, title);
    },
  };
});

const site = suiteBlog();
const other = suiteBlog();

beforeEach(() => {
  mockRenderer.isOld = false;
});

const LINES = "First line\\\nSecond line";
const NOTHING = { changes: [], more: 0, includesEdits: false };
const BREAK_GAINED = {
  before: [{ kind: "Paragraph", text: "First line Second line" }],
  after: [{ kind: "Paragraph", text: "First line\nSecond line" }],
};

type Workspace = Awaited<ReturnType<typeof connectedWorkspace>>;

/** A piece that is live as an earlier release rendered it, and was edited since. */
async function oldPost(workspace: Workspace, { title = "Old", body = LINES, edit = `${LINES}\n\nAn edit.` } = {}) {
  const id = await newPiece(workspace, workspace, { title, body });
  mockRenderer.isOld = true;
  await workspace.caller.post(`/api/content/${id}/publish`, {});
  mockRenderer.isOld = false;
  await query("UPDATE piece_posts SET renderer = $2::int WHERE content_piece_id = $1::uuid", [
    id,
    RENDERER_VERSION - 1,
  ]);
  if (edit) await workspace.caller.patch(`/api/content/${id}`, { body: edit });
  return id;
}

const changesOf = ({ caller }: Workspace, id: string) =>
  caller.get<RenderingChanges>(`/api/content/${id}/rendering-changes`);
const changesIn = ({ caller, projectId }: Workspace, ids?: string[]) =>
  caller.get<ProjectRenderingChanges>(
    `/api/projects/${projectId}/rendering-changes${ids ? `?contentIds=${ids.join(",")}` : ""}`,
  );

/** What the site was asked during the work. */
async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = site.requests.length;
  await work();
  return site.requests.slice(before);
}

describe("the changes of one piece's post", () => {
  it("are the blocks that today's renderer makes differently, without the user's edit, and nothing is written", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await oldPost(workspace);
    const requests = await requestsOf(async () => {
      expect(await changesOf(workspace, id)).toMatchObject({
        status: 200,
        body: { changes: [BREAK_GAINED], more: 0, includesEdits: false },
      });
    });
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  it("are found for a post of a release that did not record its renderer", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await oldPost(workspace);
    await query("UPDATE piece_posts SET renderer = NULL WHERE content_piece_id = $1::uuid", [id]);
    expect((await changesOf(workspace, id)).body.changes).toEqual([BREAK_GAINED]);
  });

  it("include the user's edits where the text of the last update is not known any more, and say so", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await oldPost(workspace);
    await query("DELETE FROM content_revisions WHERE content_piece_id = $1::uuid AND body = $2", [id, LINES]);
    const { body } = await changesOf(workspace, id);
    expect(body.includesEdits).toBe(true);
    expect(JSON.stringify(body.changes)).toContain("An edit.");
  });

  it("are none, and no site is asked, unless there is an edit and an earlier renderer made another post", async () => {
    const workspace = await connectedWorkspace(site);
    const unedited = await oldPost(workspace, { edit: "" });
    const alike = await oldPost(workspace, { body: "One line." });
    const current = await oldPost(workspace);
    await query("UPDATE piece_posts SET renderer = $2::int WHERE content_piece_id = $1::uuid", [
      current,
      RENDERER_VERSION,
    ]);
    const unpublished = await newPiece(workspace, workspace, { body: LINES });
    const neverSent = await oldPost(workspace);
    await query("UPDATE piece_posts SET sent_hash = NULL, sent_source = NULL WHERE content_piece_id = $1::uuid", [
      neverSent,
    ]);
    const requests = await requestsOf(async () => {
      for (const id of [unedited, alike, current, unpublished, neverSent]) {
        expect((await changesOf(workspace, id)).body).toEqual(NOTHING);
      }
    });
    expect(requests).toEqual([]);
  });

  it("are none once the post was updated", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await oldPost(workspace);
    await workspace.caller.post(`/api/content/${id}/publish`, {});
    await workspace.caller.patch(`/api/content/${id}`, { body: `${LINES}\n\nAnother edit.` });
    expect((await changesOf(workspace, id)).body).toEqual(NOTHING);
  });

  it("are none where the post was edited on the site or is not live, which publishing asks about or says", async () => {
    const workspace = await connectedWorkspace(site);
    const [edited, withdrawn] = [
      await oldPost(workspace, { title: `Edited ${workspace.username}` }),
      await oldPost(workspace, { title: `Withdrawn ${workspace.username}` }),
    ];
    const postOf = (title: string) => site.posts().find((post) => JSON.stringify(post).includes(title));
    site.edit(Number(postOf(`Edited ${workspace.username}`)?.id), { content: "Edited there." });
    site.edit(Number(postOf(`Withdrawn ${workspace.username}`)?.id), { status: "draft" });
    expect((await changesOf(workspace, edited)).body).toEqual(NOTHING);
    expect((await changesOf(workspace, withdrawn)).body).toEqual(NOTHING);
  });

  it("are its owner's alone, as is the list of the project's", async () => {
    const [workspace, stranger] = [await connectedWorkspace(site), await newWorkspace()];
    const id = await oldPost(workspace);
    expect((await stranger.caller.get(`/api/content/${id}/rendering-changes`)).status).toBe(404);
    expect((await stranger.caller.get(`/api/projects/${workspace.projectId}/rendering-changes`)).status).toBe(404);
    const url = `/api/projects/${stranger.projectId}/rendering-changes?contentIds=${id}`;
    expect((await stranger.caller.get<ProjectRenderingChanges>(url)).body.pieces).toEqual([]);
  });

  it("are an error that says why when the text is too complex or the site does not answer", async () => {
    const workspace = await connectedWorkspace(site);
    const [complex, id] = [await oldPost(workspace, { body: "A text that is too complex." }), await oldPost(workspace)];
    expect((await changesOf(workspace, complex)).body).toMatchObject({ type: "TOO_COMPLEX" });
    site.faults.maintenance = true;
    expect((await changesOf(workspace, id)).body).toMatchObject({ type: "CONNECTION_ERROR" });
    site.faults.maintenance = false;
  });
});

it("the statements read the user's own pieces and their project's site alone", async () => {
  const [workspace, stranger] = [await connectedWorkspace(site), await newWorkspace()];
  const id = await oldPost(workspace);
  const { selectNewerHere, selectSentText } = await import("@/lib/features/content/sql/shared");
  const found = (userId: string) =>
    Promise.all([selectNewerHere(userId, { ids: [id] }, 1), selectSentText(userId, id)]);
  expect(await found(workspace.id)).toMatchObject([[{ id }], { body: LINES, isSent: true }]);
  await moveTo(workspace, other);
  expect(await found(workspace.id)).toEqual([[], undefined]);
  await moveTo(workspace, site);
  expect(await found(stranger.id)).toEqual([[], undefined]);
});

describe("the changed posts of a project", () => {
  it("are named, oldest first, without asking the site", async () => {
    const workspace = await connectedWorkspace(site);
    const [first, second] = [
      await oldPost(workspace, { title: "First" }),
      await oldPost(workspace, { title: "Second" }),
    ];
    await oldPost(workspace, { title: "Unedited", edit: "" });
    await oldPost(workspace, { title: "Alike", body: "One line." });
    await newPiece(workspace, workspace, { title: "Not live", body: LINES });
    const withdrawn = await oldPost(workspace, { title: "Withdrawn" });
    await workspace.caller.post(`/api/content/${withdrawn}/unpublish`, {});
    await oldPost(workspace, { title: "Emptied", edit: " " });
    const other = await newProject(workspace);
    await oldPost(
      { ...workspace, projectId: other, topicId: await newTopic(workspace, other) },
      { title: "Elsewhere" },
    );
    const requests = await requestsOf(async () => {
      expect((await changesIn(workspace)).body).toEqual({
        pieces: [
          { id: first, title: "First" },
          { id: second, title: "Second" },
        ],
        more: false,
        uncompared: 0,
      });
    });
    expect(requests).toEqual([]);
    expect((await changesIn(workspace, [second])).body.pieces).toEqual([{ id: second, title: "Second" }]);
  });

  it("are found by the source as it was sent, whatever its characters", async () => {
    const workspace = await connectedWorkspace(site);
    const body = `Quotes ", backslashes \\, a tab\t, ünïcode 😀\u2028 and\n\n1. lines\u001f\u007f\n\n${LINES}`;
    const id = await oldPost(workspace, { title: 'A "title" & more', body, edit: "" });
    expect((await changesIn(workspace)).body).toEqual({ pieces: [], more: false, uncompared: 0 });
    await workspace.caller.patch(`/api/content/${id}`, { body: "An edit." });
    expect((await changesIn(workspace)).body.pieces).toHaveLength(1);
    expect((await changesOf(workspace, id)).body).toMatchObject({ changes: [BREAK_GAINED], includesEdits: false });
  });

  it("leave out those that cannot be compared, and count them", async () => {
    const workspace = await connectedWorkspace(site);
    const [unknown] = [await oldPost(workspace), await oldPost(workspace, { body: "A text that is too complex." })];
    await query("DELETE FROM content_revisions WHERE content_piece_id = $1::uuid AND body = $2", [unknown, LINES]);
    expect((await changesIn(workspace)).body).toEqual({ pieces: [], more: false, uncompared: 2 });
  });

  it("are an error while texts cannot be rendered", async () => {
    const workspace = await connectedWorkspace(site);
    await oldPost(workspace, { body: "A busy text." });
    expect((await changesIn(workspace)).body).toMatchObject({ type: "SERVICE_UNAVAILABLE" });
  });

  it("are compared up to a number of posts and of bytes, and the answer says that there are more", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await oldPost(workspace, { edit: "a".repeat(400_000) });
    await oldPost(workspace);
    await copyPiece(id, 6);
    const long = (await changesIn(workspace)).body;
    expect([long.pieces.length, long.more]).toEqual([7, true]);
    await query("UPDATE content_pieces SET body = 'An edit.' WHERE user_id = $1", [workspace.id]);
    await copyPiece(id, MAX_COMPARED - 7);
    const many = (await changesIn(workspace)).body;
    expect([many.pieces.length, many.more]).toEqual([MAX_COMPARED, true]);
  });

  it("may be asked of as many selected pieces as are compared", async () => {
    const workspace = await connectedWorkspace(site);
    const id = await oldPost(workspace);
    expect((await changesIn(workspace, Array(MAX_COMPARED).fill(id))).body.pieces).toHaveLength(1);
    expect((await changesIn(workspace, Array(MAX_COMPARED + 1).fill(id))).status).toBe(400);
    expect((await changesIn(workspace, ["nothing"])).status).toBe(400);
  });
});

/** Copies of a piece with its revisions and its post's row. */
async function copyPiece(id: string, count: number): Promise<void> {
  const copies = await query<{ id: string }>(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, status, is_title_only, version)
     SELECT user_id, project_id, topic_id, title, body, status, is_title_only, version
     FROM content_pieces, generate_series(1, $2::int) WHERE id = $1::uuid RETURNING id`,
    [id, count],
  );
  const ids = copies.map((copy) => copy.id);
  await query(
    `INSERT INTO content_revisions (content_piece_id, version, author, title, body, published_at)
     SELECT c, r.version, r.author, r.title, r.body, r.published_at
     FROM content_revisions r, unnest($2::uuid[]) c WHERE r.content_piece_id = $1::uuid`,
    [id, ids],
  );
  await query(
    `INSERT INTO piece_posts (content_piece_id, site_id, post_id, status, remote_hash, sent_hash, sent_source, sent_version, renderer)
     SELECT c, w.site_id, w.post_id, w.status, w.remote_hash, w.sent_hash, w.sent_source, w.sent_version, w.renderer
     FROM piece_posts w, unnest($2::uuid[]) c WHERE w.content_piece_id = $1::uuid`,
    [id, ids],
  );
}
