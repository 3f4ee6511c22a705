import { suiteBlog } from "@/tests/support/blog";
import { newPiece, newTopic } from "@/tests/support/factories";
import { putItems, work } from "@/tests/support/publishing-project";
import { connectedWorkspace, type Piece, writesOf } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// Which of the site's categories a topic is.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
recordEvents();

const site = suiteBlog();

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

describe("the category that a job's call chooses for a topic", () => {
  /** A topic whose name the site has at the top and below another category. */
  async function withTwo() {
    const workspace = await withTopic();
    const { caller, projectId, name } = workspace;
    const parent = await addCategory(`Parent of ${name}`);
    const below = await addCategory(name, Number(parent));
    const top = await addCategory(name);
    const jobs = `/api/projects/${projectId}/publishing-jobs`;
    const start = async (input: object) => (await caller.post<{ jobId: string }>(jobs, input)).body.jobId;
    const categoryOf = async (id: string) => (await caller.get<Piece>(`/api/content/${id}`)).body.wpCategoryId;
    const noteOf = async (jobId: string) =>
      (await caller.get<{ detail: string | null }[]>(`/api/publishing-jobs/${jobId}/results`)).body[0]?.detail;
    return { ...workspace, parent, below, top, start, categoryOf, noteOf };
  }

  it.each(["publish_all", "publish_selected"])(
    "is used by %s, without a note, and for the topic's next piece",
    async (verb) => {
      const { topicId, below, add, start, publish, categoryOf, noteOf } = await withTwo();
      const id = await add();
      const categories = [{ topicId, categoryId: Number(below) }];
      const jobId = await start({ verb, categories, ...(verb === "publish_all" ? {} : { contentIds: [id] }) });
      await work(jobId);
      expect([await categoryOf(id), await noteOf(jobId)]).toEqual([below, null]);
      expect((await publish(await add("Another"))).wpCategoryId).toBe(below);
    },
  );

  it("gives way to the rule where the site does not have it, or has it under another name", async () => {
    for (const chosen of ["unknown", "foreign"] as const) {
      const { topicId, parent, top, add, start, categoryOf } = await withTwo();
      const id = await add();
      const categoryId = chosen === "foreign" ? parent : "999999";
      await work(await start({ verb: "publish_all", categories: [{ topicId, categoryId }] }));
      expect([chosen, await categoryOf(id)]).toEqual([chosen, top]);
    }
  });

  it("leaves a piece in the category that it has, unless its topic's is asked for", async () => {
    const { topicId, below, add, start, publish, categoryOf } = await withTwo();
    const id = await add();
    const { wpCategoryId: own } = await publish(id, { categoryName: "Guides" });
    const categories = [{ topicId, categoryId: below }];
    await work(await start({ verb: "publish_all", categories }));
    expect(await categoryOf(id)).toBe(own);
    await work(await start({ verb: "publish_selected", contentIds: [id], categories }));
    expect(await categoryOf(id)).toBe(below);
  });

  it("is used when a piece that failed is tried again", async () => {
    const { topicId, below, add, caller, start, categoryOf } = await withTwo();
    const id = await add();
    const jobId = await start({ verb: "publish_all", categories: [{ topicId, categoryId: below }] });
    site.faults.tooLarge = true;
    await work(jobId);
    site.faults.tooLarge = false;
    expect((await caller.get(`/api/publishing-jobs/${jobId}`)).body).toMatchObject({ status: "failed" });
    await caller.post(`/api/publishing-jobs/${jobId}/retry`);
    await work(jobId);
    expect(await categoryOf(id)).toBe(below);
  });

  it("is that of the last call that names one, where calls join a job that runs", async () => {
    const { topicId, below, top, add, start, categoryOf } = await withTwo();
    const id = await add();
    const jobId = await start({ verb: "publish_all", categories: [{ topicId, categoryId: top }] });
    const added = await add("Another");
    expect(await start({ verb: "publish_all", categories: [{ topicId, categoryId: below }] })).toBe(jobId);
    await putItems(jobId, { status: "failed" });
    expect(await start({ verb: "publish_all" })).toBe(jobId);
    await work(jobId);
    expect([await categoryOf(id), await categoryOf(added)]).toEqual([below, below]);
  });

  it("says nothing of another user's topic", async () => {
    const [one, other] = [await withTwo(), await withTwo()];
    const [id, theirs] = [await one.add(), await other.add()];
    const categories = [{ topicId: other.topicId, categoryId: one.below }];
    await work(await one.start({ verb: "publish_all", categories }));
    expect(await one.categoryOf(id)).toBe(one.top);
    await work(await other.start({ verb: "publish_all" }));
    expect(await other.categoryOf(theirs)).toBe(other.top);
  });

  it("is chosen for at most a hundred topics", async () => {
    const { caller, projectId, topicId, top, add } = await withTwo();
    await add();
    const categories = (count: number) => Array(count).fill({ topicId, categoryId: top });
    const statusOf = async (count: number) =>
      (
        await caller.post(`/api/projects/${projectId}/publishing-jobs`, {
          verb: "publish_all",
          categories: categories(count),
        })
      ).status;
    expect([await statusOf(100), await statusOf(101)]).toEqual([202, 400]);
  });
});
