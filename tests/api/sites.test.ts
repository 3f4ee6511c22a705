import type { ProjectOut } from "@/lib/features/projects/schema";
import type { SiteOut } from "@/lib/features/sites/schema";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { query } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";
import {
  connectedWorkspace,
  type Failed,
  moveTo,
  type Piece,
  siteSettings,
} from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// Several sites of one user: the list in Settings, a project's site, and where its pieces go.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

let first: SampleWordPress;
let second: SampleWordPress;
beforeAll(async () => {
  process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8";
  [first, second] = [await startSampleWordPress(), await startSampleWordPress()];
});
afterAll(() => Promise.all([first.close(), second.close()]));

const loginOf = ({ url, username, applicationPassword: password }: SampleWordPress) => ({ url, username, password });
const placeOf = ({ url }: SampleWordPress) => url.replace("http://", "");

/** A user who is connected to the first site. */
async function newUser() {
  const workspace = await connectedWorkspace(first);
  const { caller } = workspace;
  return {
    ...workspace,
    sites: async () => (await caller.get<SiteOut[]>("/api/sites")).body,
    add: (site: SampleWordPress, input = {}) =>
      caller.post<SiteOut & Failed>("/api/sites", { ...loginOf(site), ...input }),
    change: (id: string, input: object) => caller.patch<Failed>(`/api/sites/${id}`, input),
    remove: (id: string) => caller.delete<Failed>(`/api/sites/${id}`),
    project: async () => (await caller.get<ProjectOut>(`/api/projects/${workspace.projectId}`)).body,
    newPiece: () => newPiece(workspace, workspace, { title: `A post ${workspace.username}`, body: "A text." }),
    publish: (id: string, input = {}) => caller.post<Piece>(`/api/content/${id}/publish`, input),
    read: async (id: string) => (await caller.get<Piece>(`/api/content/${id}`)).body,
    user: async () => (await caller.get<{ wordpressUrl: string; hasWordpressPassword: boolean }>("/api/user")).body,
  };
}

const postsOf = (site: SampleWordPress, { username }: { username: string }) =>
  site.posts().filter((post) => JSON.stringify(post).includes(username));

describe("the list of sites", () => {
  it("has the default site of the settings, before and after it was found", async () => {
    const user = await newUser();
    const [typed] = await user.sites();
    expect(typed).toMatchObject({
      name: placeOf(first),
      url: first.url,
      isDefault: true,
      hasPassword: true,
      role: null,
    });
    expect(typed?.lastContactAt).toBeNull();
    await user.caller.post("/api/wordpress/test");
    expect(await user.sites()).toMatchObject([
      { name: placeOf(first), role: "editor", projects: 0, lastContactAt: expect.any(String) },
    ]);
  });

  it("gets a site that answers, with its role, and tells no password", async () => {
    const user = await newUser();
    const { status, body } = await user.add(second, { name: "Garden blog" });
    expect([status, body.name, body.role, body.isDefault]).toEqual([201, "Garden blog", "editor", false]);
    expect((await user.sites()).map(({ name }) => name)).toEqual([placeOf(first), "Garden blog"]);
    expect(JSON.stringify(await user.sites())).not.toContain(second.applicationPassword);
    expect((await user.user()).wordpressUrl).toBe(first.url);
  });

  it("gets no site that does not answer, or whose password is wrong", async () => {
    const user = await newUser();
    const down = await user.add(second, { url: "http://127.0.0.1:9" });
    const wrong = await user.add(second, { password: "wrong wrong wrong" });
    const odd = await user.add(second, { url: "no address" });
    expect([down.body.type, wrong.body.type]).toEqual(["CONNECTION_ERROR", "WORDPRESS_REJECTED"]);
    expect(odd.body).toMatchObject({
      type: "VALIDATION_ERROR",
      fields: { url: [expect.stringContaining("Enter the address")] },
    });
    expect(await user.sites()).toHaveLength(1);
  });

  it("has a site once, however its address is written", async () => {
    const user = await newUser();
    await user.caller.post("/api/wordpress/test");
    const { status, body } = await user.add(first, { url: `${first.url}/wp-admin/` });
    expect([status, body.type]).toEqual([409, "DUPLICATE"]);
    expect(body.error).toBe(`This is ${placeOf(first)}, which is among your sites already. Change it there instead.`);
  });

  it("has at most twenty", async () => {
    const user = await newUser();
    await query(
      "INSERT INTO sites (user_id, place, url) SELECT $1, n || '.example', 'https://' || n || '.example' FROM generate_series(1, 19) n",
      [user.id],
    );
    expect((await user.add(second)).body.error).toContain("You have 20 sites, the maximum.");
  });

  it("is its owner's alone", async () => {
    const [user, stranger] = [await newUser(), await newUser()];
    const { id } = (await user.add(second)).body;
    expect((await stranger.sites()).map((site) => site.id)).not.toContain(id);
    const refused = await Promise.all([
      stranger.caller.patch<Failed>(`/api/sites/${id}`, { name: "Mine" }),
      stranger.remove(String(id)),
      stranger.caller.post<Failed>(`/api/sites/${id}/test`),
      stranger.caller.get<Failed>(`/api/wordpress/categories?siteId=${id}`),
      stranger.caller.patch<Failed>(`/api/projects/${stranger.projectId}`, { siteId: id }),
      stranger.caller.post<Failed>("/api/projects", { title: "On it", siteId: id }),
    ]);
    expect(refused.map(({ body }) => body.type)).toEqual(Array(6).fill("NOT_FOUND"));
    expect((await stranger.project()).siteId).toBeNull();
  });
});

describe("a change of a site", () => {
  it("renames it, and a blank name is its address again", async () => {
    const user = await newUser();
    const { id } = (await user.add(second, { name: "Garden" })).body;
    const renamed = await user.caller.patch<SiteOut>(`/api/sites/${id}`, { name: "Balcony" });
    const unnamed = await user.caller.patch<SiteOut>(`/api/sites/${id}`, { name: "" });
    expect([renamed.body.name, unnamed.body.name]).toEqual(["Balcony", placeOf(second)]);
  });

  it("to another address needs its password", async () => {
    const user = await newUser();
    const { id } = (await user.add(second)).body;
    const refused = await user.caller.patch<Failed>(`/api/sites/${id}`, { url: "https://other.example" });
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("Enter the password")]);
    const changed = await user.caller.patch<SiteOut>(`/api/sites/${id}`, { url: "other.example", password: "new" });
    expect(changed.body).toMatchObject({ url: "https://other.example", role: null, version: null });
  });

  it("wins over a call that is finding the site at its old address", async () => {
    const user = await newUser();
    const changed: Promise<unknown>[] = [];
    first.faults.rewrite = (answer) => {
      if (changed.length === 0)
        changed.push(query("UPDATE sites SET url = 'https://new.example' WHERE user_id = $1", [user.id]));
      return answer;
    };
    const { body } = await user.publish(await user.newPiece());
    first.faults.rewrite = null;
    await Promise.all(changed);
    expect([body.type, body.error]).toEqual(["ALREADY_RUNNING", expect.stringContaining("has just been changed")]);
    expect(await user.sites()).toMatchObject([{ url: "https://new.example", lastContactAt: null }]);
    expect(postsOf(first, user)).toEqual([]);
  });

  it("makes it the default one, which the settings show and can be read by the release before", async () => {
    const user = await newUser();
    const { id } = (await user.add(second)).body;
    await user.change(id, { isDefault: true });
    expect((await user.sites()).map(({ url, isDefault }) => [url, isDefault])).toEqual([
      [second.url, true],
      [first.url, false],
    ]);
    expect(await user.user()).toMatchObject({ wordpressUrl: second.url, hasWordpressPassword: true });
    const [row] = await query<{ wordpress_password: string }>("SELECT wordpress_password FROM users WHERE id = $1", [
      user.id,
    ]);
    const { open } = await import("@/lib/crypto/secret-box");
    const place = { owner: user.id, field: "wordpressPassword" };
    expect(open(row?.wordpress_password ?? "", place)).toBe(second.applicationPassword);
    // What has no post follows it.
    expect((await user.publish(await user.newPiece())).status).toBe(200);
    expect([postsOf(first, user).length, postsOf(second, user).length]).toEqual([0, 1]);
  });

  it("removes it once no project is on it, deletes nothing there, and knows its posts when it is added again", async () => {
    const user = await newUser();
    const id = await user.newPiece();
    const siteId = await moveTo(user, second);
    const { wpPostId } = (await user.publish(id)).body;
    const used = await user.remove(siteId);
    expect([used.status, used.body.error]).toEqual([400, "1 project is on this site. Move it to another site first."]);
    await moveTo(user, first);
    expect((await user.caller.delete(`/api/sites/${siteId}`)).status).toBe(204);
    expect((await user.sites()).map(({ url }) => url)).toEqual([first.url]);
    expect(postsOf(second, user)).toHaveLength(1);
    const [row] = await query<{ password: string | null }>("SELECT password FROM sites WHERE id = $1", [siteId]);
    expect(row).toEqual({ password: null });
    // Another tab may still show it.
    expect([(await user.remove(siteId)).status, (await user.change(siteId, { password: "new" })).status]).toEqual([
      404, 404,
    ]);
    expect((await user.add(second)).body.id).toBe(siteId);
    await moveTo(user, second);
    expect(await user.read(id)).toMatchObject({ wpPostId, status: "wp_published" });
  });

  it("does not remove the default one of several, and removes the last one", async () => {
    const user = await newUser();
    const other = (await user.add(second)).body.id;
    const [site] = await user.sites();
    const refused = await user.remove(String(site?.id));
    expect([refused.status, refused.body.error]).toEqual([
      400,
      "This is your default site. Make another one the default first.",
    ]);
    await user.caller.delete(`/api/sites/${other}`);
    expect((await user.caller.delete(`/api/sites/${site?.id}`)).status).toBe(204);
    expect(await user.user()).toMatchObject({ wordpressUrl: null, hasWordpressPassword: false });
    expect((await user.add(second)).body.isDefault).toBe(true);
    expect(await user.sites()).toHaveLength(1);
  });

  it("does not remove one that a job publishes to", async () => {
    const user = await newUser();
    await user.newPiece();
    const siteId = await moveTo(user, second);
    const jobs = `/api/projects/${user.projectId}/publishing-jobs`;
    const { jobId } = (await user.caller.post<{ jobId: string }>(jobs, { verb: "publish_all" })).body;
    await moveTo(user, first);
    const busy = await user.remove(siteId);
    expect(busy.body.error).toContain("Pieces are being published to this site.");
    const { publishForRun } = await import("@/lib/features/publishing/steps");
    await publishForRun(jobId);
    // The job kept the site it began with.
    expect([postsOf(first, user).length, postsOf(second, user).length]).toEqual([0, 1]);
    expect((await user.caller.delete(`/api/sites/${siteId}`)).status).toBe(204);
  });
});

describe("a project's site", () => {
  it("is the one it was made on", async () => {
    const user = await newUser();
    const siteId = (await user.add(second)).body.id;
    const project = (await user.caller.post<ProjectOut>("/api/projects", { title: "On the second", siteId })).body;
    expect(project.siteId).toBe(siteId);
    const place = { projectId: project.id, topicId: await newTopic(user, project.id) };
    const id = await newPiece(user, place, { title: `There ${user.username}`, body: "A text." });
    expect((await user.publish(id)).status).toBe(200);
    expect([postsOf(first, user).length, postsOf(second, user).length]).toEqual([0, 1]);
  });

  it("stays when the default site changes, with its statuses, once it has a post", async () => {
    const user = await newUser();
    const id = await user.newPiece();
    await user.publish(id);
    const before = await user.read(id);
    const { siteId } = await user.project();
    expect(siteId).toEqual(expect.any(String));
    await user.change((await user.add(second)).body.id, { isDefault: true });
    expect(await user.read(id)).toEqual(before);
    await user.caller.patch(`/api/content/${id}`, { body: "Changed." });
    expect((await user.publish(id)).body.wpPostId).toBe(before.wpPostId);
    expect([postsOf(first, user).length, postsOf(second, user).length]).toEqual([1, 0]);
    expect((await user.project()).siteId).toBe(siteId);
  });

  it("changes alone: another project's pieces keep their statuses", async () => {
    const user = await newUser();
    const [id, projectId] = [await user.newPiece(), await newProject(user)];
    const place = { projectId, topicId: await newTopic(user, projectId) };
    const other = await newPiece(user, place, { title: `Other ${user.username}`, body: "A text." });
    for (const each of [id, other]) await user.publish(each);
    await moveTo(user, second);
    expect([(await user.read(id)).status, (await user.read(other)).status]).toEqual(["unpublished", "wp_published"]);
  });

  it("gets posts at the same time as another project's, and one that is down does not hold up the other", async () => {
    const user = await newUser();
    const down = await startSampleWordPress();
    const projectId = await newProject(user);
    const place = { projectId, topicId: await newTopic(user, projectId) };
    const other = await newPiece(user, place, { title: `Other ${user.username}`, body: "A text." });
    await moveTo({ caller: user.caller, projectId }, down);
    const id = await user.newPiece();
    const both = await Promise.all([user.publish(id), user.publish(other)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await query(
      "UPDATE piece_posts SET unanswered_since = now() - interval '1 hour' WHERE content_piece_id = ANY ($1)",
      [[id, other]],
    );
    await down.close();
    expect((await user.publish(other)).body.type).toBe("CONNECTION_ERROR");
    const { settlePosts } = await import("@/lib/features/publishing/steps");
    await settlePosts();
    const open = await query<{ id: string }>(
      "SELECT content_piece_id AS id FROM piece_posts WHERE content_piece_id = ANY ($1) AND unanswered_since IS NOT NULL",
      [[id, other]],
    );
    expect(open).toEqual([{ id: other }]);
  });

  it("has a job of its own: a project that has moved is not added to the one that runs elsewhere", async () => {
    const user = await newUser();
    await user.newPiece();
    const url = `/api/projects/${user.projectId}/publishing-jobs`;
    await user.caller.post(url, { verb: "publish_all" });
    await moveTo(user, second);
    const refused = await user.caller.post<Failed>(url, { verb: "publish_all" });
    expect([refused.status, refused.body.type]).toEqual([409, "ALREADY_RUNNING"]);
    expect(refused.body.error).toContain("This project has moved");
  });
});

describe("a site's password", () => {
  it("opens for no other site of the same owner", async () => {
    const user = await newUser();
    const siteId = await moveTo(user, second);
    await query(
      `UPDATE sites SET password = (SELECT password FROM sites WHERE id = $1) WHERE user_id = $2 AND id <> $1`,
      [siteId, user.id],
    );
    expect((await user.caller.post<Failed>("/api/wordpress/test")).body.type).toBe("MISSING_CREDENTIALS");
  });

  it("from the release before opens, and gets a new seal when it is used", async () => {
    const user = await newUser();
    await query("UPDATE users SET wordpress_password = wordpress_password, wordpress_username = 'x' WHERE id = $1", [
      user.id,
    ]);
    await query("UPDATE users SET wordpress_username = $2 WHERE id = $1", [user.id, first.username]);
    const sealed = async () =>
      (
        await query<{ password: string; old: string }>(
          "SELECT s.password, u.wordpress_password AS old FROM sites s JOIN users u ON u.id = s.user_id WHERE u.id = $1",
          [user.id],
        )
      )[0];
    const before = await sealed();
    expect(before?.password).toBe(before?.old);
    expect((await user.publish(await user.newPiece())).status).toBe(200);
    const after = await sealed();
    expect(after?.password).not.toBe(before?.password);
    expect((await user.publish(await user.newPiece())).status).toBe(200);
  });
});

describe("a process of the release before", () => {
  it("changes the default site by what it writes of its owner", async () => {
    const user = await newWorkspace();
    await query("UPDATE users SET wordpress_url = $2, wordpress_username = 'u' WHERE id = $1", [user.id, first.url]);
    const sites = () =>
      query("SELECT url, username, place, api_root IS NULL AS unfound, is_default FROM sites WHERE user_id = $1", [
        user.id,
      ]);
    expect(await sites()).toEqual([{ url: first.url, username: "u", place: null, unfound: true, is_default: true }]);
    // It finds the site, and makes that its default one.
    await query(
      "INSERT INTO sites (user_id, place, api_root) VALUES ($1, 'found.example', 'https://found.example/wp-json/')",
      [user.id],
    );
    await query("UPDATE sites SET is_default = false WHERE user_id = $1", [user.id]);
    await query("UPDATE sites SET is_default = true WHERE user_id = $1 AND place = 'found.example'", [user.id]);
    expect(await sites()).toEqual([
      { url: first.url, username: "u", place: "found.example", unfound: false, is_default: true },
    ]);
  });

  it("deletes former sites, and those that are connected or have a project with their account alone", async () => {
    const user = await newUser();
    const connected = (await user.add(second)).body.id;
    const [former, ofProject] = [crypto.randomUUID(), crypto.randomUUID()];
    await query(
      "INSERT INTO sites (id, user_id, place) VALUES ($2, $1, 'former.example'), ($3, $1, 'project.example')",
      [user.id, former, ofProject],
    );
    await query("UPDATE projects SET site_id = $2 WHERE id = $1", [user.projectId, ofProject]);
    const prune = async () => {
      const deleted = "DELETE FROM sites WHERE user_id = $1 AND NOT is_default RETURNING id";
      return (await query<{ id: string }>(deleted, [user.id])).map(({ id }) => id);
    };
    expect(await prune()).toEqual([former]);
    await query("UPDATE projects SET site_id = NULL WHERE id = $1", [user.projectId]);
    await query("UPDATE users SET deleted_at = now() WHERE id = $1", [user.id]);
    expect((await prune()).sort()).toEqual([connected, ofProject].sort());
  });

  it("keeps a project on the site of its first post", async () => {
    const user = await newUser();
    const id = await user.newPiece();
    await user.caller.post("/api/wordpress/test");
    await query(
      "INSERT INTO piece_posts (content_piece_id, site_id, post_id) SELECT $1, id, '7' FROM sites WHERE user_id = $2",
      [id, user.id],
    );
    expect((await user.project()).siteId).toEqual((await user.sites())[0]?.id);
  });
});

it("two calls at once that say it is another site make one, and record the posts there as its own", async () => {
  const user = await newUser();
  const [id, other] = [await user.newPiece(), await user.newPiece()];
  for (const each of [id, other]) await user.publish(each);
  const before = await user.read(id);
  await user.caller.patch("/api/user/settings", siteSettings(second));
  const said = await Promise.all([id, other].map((each) => user.publish(each, { site: "other" })));
  // The second one may come just between the new site and the move to it.
  const live = said.filter(({ status }) => status === 200).length;
  expect([live > 0, said.every(({ body }) => [undefined, "MISSING_CREDENTIALS"].includes(body.type))]).toEqual([
    true,
    true,
  ]);
  expect((await user.sites()).map(({ url }) => url)).toEqual([second.url]);
  expect([postsOf(first, user).length, postsOf(second, user).length]).toEqual([2, live]);
  const [site] = await query<{ id: string }>("SELECT id FROM sites WHERE user_id = $1 AND place = $2", [
    user.id,
    placeOf(first),
  ]);
  await user.add(first);
  await user.caller.patch(`/api/projects/${user.projectId}`, { siteId: site?.id });
  expect(await user.read(id)).toMatchObject({ wpPostId: before.wpPostId, wpPermalink: before.wpPermalink });
});

it("the settings of the second site leave the first one's projects where they are", async () => {
  const user = await newUser();
  const id = await user.newPiece();
  await user.publish(id);
  await user.caller.patch("/api/user/settings", siteSettings(second));
  await user.caller.post("/api/wordpress/test", { site: "other" });
  expect((await user.read(id)).status).toBe("wp_published");
  expect(await user.sites()).toMatchObject([
    { url: second.url, isDefault: true, projects: 0 },
    { name: placeOf(first), url: null, hasPassword: false, isDefault: false, projects: 1 },
  ]);
});
