import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { startBlog } from "@/tests/support/blog";
import { newPiece, newTopic } from "@/tests/support/factories";
import { connectedWorkspace, type Piece, writesOf } from "@/tests/support/publishing-workspace";

// Which of the site's categories a topic is.

let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
});
afterAll(() => site.close());

/** Made on the site by somebody else; returns its id. */
async function addCategory(name: string, parent = 0): Promise<string> {
  const answer = await fetch(`${site.url}/wp-json/wp/v2/categories`, {
    method: "POST",
    headers: {
      Authorization: `Basic ${Buffer.from(`${site.username}:${site.applicationPassword}`).toString("base64")}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ name, parent }),
  });
  return String(((await answer.json()) as { id: number }).id);
}

async function withTopic() {
  const workspace = await connectedWorkspace(site);
  const name = `News & views ${workspace.username}`;
  const topicId = await newTopic(workspace, workspace.projectId, name);
  const add = (title = "A post") =>
    newPiece(
      workspace,
      { projectId: workspace.projectId, topicId },
      { title: `${title} ${workspace.username}`, body: "Text." },
    );
  const publish = async (id: string, input = {}) =>
    (await workspace.caller.post<Piece>(`/api/content/${id}/publish`, input)).body;
  return { ...workspace, topicId, name, add, publish };
}

describe("a topic's name among the site's categories", () => {
  it("is the category that has it in any case, below whichever other one", async () => {
    const { name, add, publish } = await withTopic();
    const parent = await addCategory(`Parent of ${name}`);
    const below = await addCategory(name.toUpperCase(), Number(parent));
    const writes = await writesOf(site, async () => {
      expect(await publish(await add())).toMatchObject({ wpCategoryId: below, wpCategoryName: name.toUpperCase() });
    });
    expect(writes).not.toContain("POST /wp/v2/categories");
  });

  it("is made at the top when there is none", async () => {
    const { name, add, publish } = await withTopic();
    await addCategory(`${name} and more`);
    const { wpCategoryId, wpCategoryName } = await publish(await add());
    expect(wpCategoryName).toBe(name);
    const answer = await fetch(`${site.url}/wp-json/wp/v2/categories/${wpCategoryId}`);
    expect(await answer.json()).toMatchObject({ parent: 0 });
  });

  it("is the one at the top of several, else the oldest", async () => {
    const { name, add, publish } = await withTopic();
    const parents = [await addCategory(`First parent of ${name}`), await addCategory(`Second parent of ${name}`)];
    const oldest = await addCategory(name, Number(parents[0]));
    await addCategory(name, Number(parents[1]));
    expect((await publish(await add())).wpCategoryId).toBe(oldest);
    const other = await withTopic();
    await addCategory(other.name, Number(parents[0]));
    const top = await addCategory(other.name);
    expect((await other.publish(await other.add())).wpCategoryId).toBe(top);
  });

  it("is named in a job's result when it was one of several, once", async () => {
    const { name, add, projectId, caller } = await withTopic();
    const parent = await addCategory(`Parent of ${name}`);
    const top = await addCategory(name);
    await addCategory(name, Number(parent));
    await add();
    const publishAll = async () =>
      (await caller.post<{ results: object[] }>(`/api/projects/${projectId}/publish-all-to-wordpress`)).body.results;
    const detail = `Your site has several categories named “${name}”. The post is in the one with the ID ${top}.`;
    expect(await publishAll()).toEqual([expect.objectContaining({ success: true, detail })]);
    expect(await publishAll()).toEqual([expect.not.objectContaining({ detail })]);
  });

  it("is the one of several that the topic's pieces have already", async () => {
    const { name, add, publish } = await withTopic();
    const parent = await addCategory(`Parent of ${name}`);
    const below = await addCategory(name, Number(parent));
    await addCategory(name);
    await publish(await add(), { categoryId: below });
    for (const input of [{}, { byTopic: true }]) {
      expect((await publish(await add("Another"), input)).wpCategoryId).toBe(below);
    }
  });
});

describe("the category that the topic's pieces have on the site", () => {
  it("is used again, whatever its name", async () => {
    const { add, publish } = await withTopic();
    const { wpCategoryId } = await publish(await add(), { categoryName: "Guides" });
    const writes = await writesOf(site, async () => {
      expect((await publish(await add("Another"))).wpCategoryId).toBe(wpCategoryId);
    });
    expect(writes).not.toContain("POST /wp/v2/categories");
  });

  it("is not used where the topic's own category is asked for", async () => {
    const { name, add, publish } = await withTopic();
    await publish(await add(), { categoryName: "Guides" });
    expect((await publish(await add("Another"), { byTopic: true })).wpCategoryName).toBe(name);
  });

  it("is not that of another user's pieces, nor of another topic's", async () => {
    const [one, other] = [await withTopic(), await withTopic()];
    await one.publish(await one.add(), { categoryName: "Guides" });
    const topicId = await newTopic(one, one.projectId, `Other ${one.username}`);
    const place = { projectId: one.projectId, topicId };
    const id = await newPiece(one, place, { title: `Other ${one.username}`, body: "Text." });
    expect((await one.publish(id)).wpCategoryName).toBe(`Other ${one.username}`);
    expect((await other.publish(await other.add())).wpCategoryName).toBe(other.name);
  });
});
