import "@/tests/wordpress/local-sites";

import type { ContentOut } from "@/lib/features/content/schema";
import type { ProjectOut } from "@/lib/features/projects/schema";
import type { SiteOut } from "@/lib/features/sites/schema";
import { query } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";
import { type RealWordPress, startRealWordPress } from "@/tests/support/real-wordpress";

// One user with two real sites at once, one in a subdirectory.

let root: RealWordPress;
let blog: RealWordPress;

beforeAll(async () => {
  [root, blog] = await Promise.all([
    startRealWordPress({ build: "debian", permalinks: "pretty" }),
    startRealWordPress({ build: "debian", permalinks: "plain", subdirectory: "/blog" }),
  ]);
}, 180_000);
afterAll(() => Promise.all([root?.stop(), blog?.stop()]));

const loginOf = ({ url, users: { editor } }: RealWordPress) => ({
  url,
  username: editor.username,
  password: editor.applicationPassword,
});

/** Does a visitor read this text there? */
async function isRead(link: string | null | undefined, text: string): Promise<boolean> {
  const page = await fetch(link ?? "");
  return page.ok && (await page.text()).includes(text);
}

it("two projects publish, update and settle on a site each at the same time, also while one is down, and one moves and comes back", async () => {
  const { caller, id: userId, projectId } = await newWorkspace();
  const add = (site: RealWordPress) => caller.post<SiteOut>("/api/sites", loginOf(site));
  const [atRoot, atBlog] = [await add(root), await add(blog)];
  expect([atRoot.status, atRoot.body.isDefault, atBlog.status, atBlog.body.isDefault]).toEqual([201, true, 201, false]);
  expect([atRoot.body.role, atRoot.body.version]).toEqual(["editor", expect.stringMatching(/^6\./)]);

  const otherId = await newProject({ id: userId });
  await caller.patch<ProjectOut>(`/api/projects/${otherId}`, { siteId: atBlog.body.id });
  const pieces: { projectId: number; ids: string[] }[] = [];
  for (const project of [projectId, otherId]) {
    const place = { projectId: project, topicId: await newTopic({ id: userId }, project) };
    const ids = [];
    for (let n = 0; n < 12; n++)
      ids.push(
        await newPiece({ id: userId }, place, { title: `Piece ${n} of ${project}`, body: `Text ${n} of ${project}.` }),
      );
    pieces.push({ projectId: project, ids });
  }
  const publishAll = (project: number) =>
    caller.post<{ results: { success: boolean; unchanged?: boolean }[] }>(
      `/api/projects/${project}/publish-all-to-wordpress`,
    );
  const read = async (id: string) => (await caller.get<ContentOut>(`/api/content/${id}`)).body;
  const [own, other] = [pieces[0]?.ids ?? [], pieces[1]?.ids ?? []];

  // Both at once.
  const first = await Promise.all([publishAll(projectId), publishAll(otherId)]);
  expect(first.map(({ body }) => body.results.filter(({ success }) => success).length)).toEqual([12, 12]);
  const [live, away] = [await read(own[0] ?? ""), await read(other[0] ?? "")];
  expect([live.wpPermalink?.startsWith(`${root.url}/`), away.wpPermalink?.startsWith(blog.url)]).toEqual([true, true]);
  expect(await isRead(live.wpPermalink, `Text 0 of ${projectId}.`)).toBe(true);
  expect(await isRead(away.wpPermalink, `Text 0 of ${otherId}.`)).toBe(true);

  // Updates at once, then settling of all creations.
  await Promise.all([own[1], other[1]].map((id) => caller.patch(`/api/content/${id}`, { body: "Edited." })));
  const updates = await Promise.all([own[1], other[1]].map((id) => caller.post(`/api/content/${id}/publish`)));
  expect(updates.map(({ status }) => status)).toEqual([200, 200]);
  await query("UPDATE piece_posts SET unanswered_since = now() - interval '1 hour' WHERE content_piece_id = ANY ($1)", [
    [...own, ...other],
  ]);
  const { settlePosts } = await import("@/lib/features/publishing/steps");
  await settlePosts();
  const open = () =>
    query("SELECT 1 FROM piece_posts WHERE unanswered_since IS NOT NULL AND content_piece_id = ANY ($1)", [
      [...own, ...other],
    ]);
  expect((await open()).length).toBe(0);

  // A move: nothing of the project is on the other site yet, and everything is there again on the way back.
  const before = await read(own[0] ?? "");
  await caller.patch(`/api/projects/${projectId}`, { siteId: atBlog.body.id });
  expect(await read(own[0] ?? "")).toMatchObject({ status: "unpublished", wpPlace: "elsewhere", wpPermalink: null });
  expect(await isRead(before.wpPermalink, `Text 0 of ${projectId}.`)).toBe(true);
  const there = (await caller.post<ContentOut>(`/api/content/${own[0]}/publish`)).body;
  expect(there.wpPermalink?.startsWith(blog.url)).toBe(true);
  await caller.patch(`/api/projects/${projectId}`, { siteId: atRoot.body.id });
  expect(await read(own[0] ?? "")).toMatchObject({
    status: "wp_published",
    wpPostId: before.wpPostId,
    wpPermalink: before.wpPermalink,
  });
  const again = await publishAll(projectId);
  expect(again.body.results.every(({ unchanged }) => unchanged)).toBe(true);

  // One is down: the other goes on.
  await blog.stop();
  await caller.patch(`/api/content/${own[2]}`, { body: "While the other is down." });
  const [up, down] = await Promise.all([
    publishAll(projectId),
    caller.post<{ type: string }>(`/api/content/${other[2]}/publish`),
  ]);
  expect([up.body.results.filter(({ success }) => success).length, down.body.type]).toEqual([12, "CONNECTION_ERROR"]);
  expect((await read(other[2] ?? "")).status).toBe("wp_published");
  expect(await isRead((await read(own[2] ?? "")).wpPermalink, "While the other is down.")).toBe(true);
}, 240_000);
