import { dehydrate, QueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { setPageProjects, setPageTopics } from "@/app/(app)/page-lists";
import { actorFromSignIn } from "@/lib/auth/actor";
import { contentGroups, listContent } from "@/lib/features/content/reads";
import { selectGroups } from "@/lib/features/content/sql";
import { listProjects } from "@/lib/features/projects/reads";
import { DESCRIPTION_MAX, type ListedProject, MAX_PROJECTS } from "@/lib/features/projects/schema";
import { selectProjects } from "@/lib/features/projects/sql";
import { listTopics } from "@/lib/features/topics/reads";
import { type ListedTopic, MAX_KEYWORDS, MAX_TOPICS } from "@/lib/features/topics/schema";
import { selectTopics } from "@/lib/features/topics/sql";
import { MAX_LIST_BYTES, MAX_PAGE_LIST_BYTES } from "@/lib/limits/bounds";
import { everyRow } from "@/lib/utils/cursor-page";
import { deleteEverything, query } from "@/tests/support/db";
import { newProject, newTopic, newUser, newWorkspace, type User } from "@/tests/support/factories";
import { listOperations } from "@/tests/support/operations";

// Lists of as much as an account may have: no answer, no page and no statement carries more than its bound.

afterAll(deleteEverything);

/** Scripts of one to four bytes a character, quotes and control characters. */
const SAMPLE = 'Größe "und" Tiefe, 園芸の本 🌱 \u0001';
const DESCRIPTION = SAMPLE.repeat(400).slice(0, DESCRIPTION_MAX - 20);

/** One or two rows more than a page has. */
const MOST_READ = MAX_LIST_BYTES + 2 * 4 * DESCRIPTION_MAX;

const actorOf = ({ id }: Pick<User, "id">) =>
  actorFromSignIn(id, { requestId: "r", address: null, userAgent: null } as never);

async function addProjects({ id }: Pick<User, "id">, count: number, description = DESCRIPTION): Promise<void> {
  await query(
    `INSERT INTO projects (user_id, title, description, created_at)
     SELECT $1, 'Project ' || n, $2 || ' no ' || n, now() - (n / 3) * interval '1 second' FROM generate_series(1, $3::int) n`,
    [id, description, count],
  );
}

async function addTopics({ id }: Pick<User, "id">, projectId: number, count: number, description = DESCRIPTION) {
  await query(
    `INSERT INTO topics (user_id, project_id, name, description)
     SELECT $1, $2, 'Topic ' || n, $3 FROM generate_series(1, $4::int) n`,
    [id, projectId, description, count],
  );
}

const MOST_PAGES = 100;

/** All pages of a list, with the sizes of their answers; follows the Link as any client would. */
async function pagesOf<T>({ caller }: User, url: string): Promise<{ rows: T[]; sizes: number[] }> {
  const [rows, sizes]: [T[], number[]] = [[], []];
  for (let next: string | undefined = url; next; ) {
    if (sizes.length > MOST_PAGES) throw new Error(`${next} does not end.`);
    const page: Awaited<ReturnType<typeof caller.get<T[]>>> = await caller.get<T[]>(next);
    expect(page.status).toBe(200);
    rows.push(...page.body);
    sizes.push(Buffer.byteLength(page.text));
    next = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  return { rows, sizes };
}

function expectEachOnce(rows: { id: unknown }[], count: number): void {
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
}

/** Lists without pages, and why they stay short. */
const SHORT: Record<string, string> = {
  "GET /api/content/reviews": "100 of eight sentences, 50 addresses and 20 titles",
  "GET /api/instructions": "50 of 1,000 characters",
  "GET /api/publishing-jobs": "20 of 600 characters",
  "GET /api/publishing-counts": "1,000 of four numbers",
  "GET /api/sites": "20 of 2,600 characters, and the names of others that projects are still on",
  "GET /api/user/sessions": "100 of 300 characters",
};

it("every list has pages, or a bound that keeps it short", async () => {
  const lists = (await listOperations()).filter(
    ({ method, spec }) => method === "GET" && spec.reply instanceof z.ZodArray,
  );
  const unpaged = lists.filter(({ spec }) => !(spec.query && "cursor" in spec.query.shape)).map(({ name }) => name);
  expect(unpaged.sort()).toEqual(Object.keys(SHORT).sort());
  expect(lists.length).toBeGreaterThan(8);
});

describe("1,000 projects with descriptions of 5,000 characters", () => {
  let user: User;

  beforeAll(async () => {
    user = await newUser();
    await addProjects(user, MAX_PROJECTS);
  });

  it("are answered whole, each once, in pages of at most a megabyte", async () => {
    const { rows, sizes } = await pagesOf<ListedProject>(user, "/api/projects");
    process.stdout.write(`GET /api/projects: ${sizes.length} pages, ${Math.max(...sizes)} bytes at most\n`);
    expectEachOnce(rows, MAX_PROJECTS);
    for (const { description } of rows) expect(description?.startsWith(DESCRIPTION)).toBe(true);
    expect(rows[0]).not.toHaveProperty("descriptionCut");
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_LIST_BYTES);
    // Full pages: the bound must not make a client ask a thousand times.
    expect(sizes.slice(0, -1).every((size) => size > MAX_LIST_BYTES / 2)).toBe(true);
  });

  it("leave the database a page at a time", async () => {
    const rows = await selectProjects(user.id, { cursor: undefined, maxBytes: MAX_LIST_BYTES });
    expect(Buffer.byteLength(rows.map(({ description }) => description).join(""))).toBeLessThan(MOST_READ);
  });

  it("are answered short on request, and say which go on", async () => {
    await query("UPDATE projects SET description = $2 WHERE user_id = $1 AND title = 'Project 7'", [
      user.id,
      "園".repeat(300),
    ]);
    await query("UPDATE projects SET description = NULL WHERE user_id = $1 AND title = 'Project 8'", [user.id]);
    const { rows, sizes } = await pagesOf<ListedProject>(user, "/api/projects?description=300");
    process.stdout.write(`GET /api/projects?description=300: ${sizes.join(", ")} bytes\n`);
    expectEachOnce(rows, MAX_PROJECTS);
    expect(sizes).toHaveLength(1);
    const named = (title: string) => rows.find((row) => row.title === title);
    expect(named("Project 7")).toMatchObject({ description: "園".repeat(300), descriptionCut: false });
    expect(named("Project 8")).toMatchObject({ description: null, descriptionCut: false });
    expect(named("Project 9")).toMatchObject({
      description: [...DESCRIPTION].slice(0, 300).join(""),
      descriptionCut: true,
    });
  });

  it("are not put into a page, which reads them itself", async () => {
    const client = new QueryClient();
    await setPageProjects(client, actorOf(user));
    expect(dehydrate(client).queries).toEqual([]);
  });

  it("are found by a word near the end of a description, in any case, with each character as it is", async () => {
    const place = DESCRIPTION.slice(0, 4_900);
    for (const [title, end] of [
      ["Project 20", "ÜBERWINTERN"],
      ["Project 21", "100% sure_thing"],
    ]) {
      await query("UPDATE projects SET description = $3 WHERE user_id = $1 AND title = $2", [
        user.id,
        title,
        `${place}${end}`,
      ]);
    }
    const began = performance.now();
    const found = async (search: string, rest = "") => {
      const url = `/api/projects?search=${encodeURIComponent(search)}${rest}`;
      return (await user.caller.get<ListedProject[]>(url)).body.map(({ title }) => title);
    };
    expect(await found(" überwintern ", "&description=300")).toEqual(["Project 20"]);
    process.stdout.write(`A search over them: ${Math.round(performance.now() - began)} ms\n`);
    expect(await found("0% SURE_")).toEqual(["Project 21"]);
    expect(await found("0_ sure%")).toEqual([]);
    expect(await found("project 1000")).toEqual(["Project 1000"]);
    const stranger = await newUser();
    expect((await stranger.caller.get("/api/projects?search=project")).body).toEqual([]);
  });

  it("of which a search finds all are answered in pages too", async () => {
    const { rows, sizes } = await pagesOf<ListedProject>(user, "/api/projects?search=project");
    expectEachOnce(rows, MAX_PROJECTS);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_LIST_BYTES);
  });
});

it("500 topics with long descriptions are answered as projects are", async () => {
  const user = await newUser();
  const projectId = await newProject(user);
  await addTopics(user, projectId, MAX_TOPICS);
  const whole = await pagesOf<ListedTopic>(user, `/api/projects/${projectId}/topics`);
  expectEachOnce(whole.rows, MAX_TOPICS);
  expect(whole.rows.every(({ description }) => description === DESCRIPTION)).toBe(true);
  expect(Math.max(...whole.sizes)).toBeLessThanOrEqual(MAX_LIST_BYTES);
  const read = await selectTopics(user.id, projectId, { cursor: undefined, maxBytes: MAX_LIST_BYTES });
  expect(Buffer.byteLength(read.map(({ description }) => description).join(""))).toBeLessThan(MOST_READ);
  const short = await pagesOf<ListedTopic>(user, `/api/projects/${projectId}/topics?description=300`);
  expectEachOnce(short.rows, MAX_TOPICS);
  expect(short.sizes).toHaveLength(1);
  expect(short.rows[0]).toMatchObject({ descriptionCut: true });
  const one = await user.caller.get<ListedTopic>(`/api/topics/${short.rows[0]?.id}`);
  expect(one.body.description).toBe(DESCRIPTION);
  const client = new QueryClient();
  await setPageTopics(client, actorOf(user), projectId);
  expect(dehydrate(client).queries).toEqual([]);
});

it("a page carries a list of ordinary length", async () => {
  const user = await newUser();
  await addProjects(user, 100, "A sentence or two about it. ".repeat(4));
  const client = new QueryClient();
  await setPageProjects(client, actorOf(user));
  const [projects] = dehydrate(client).queries;
  expect(projects?.queryKey).toEqual(["/api/projects"]);
  expect(projects?.state.data).toHaveLength(100);
  expect(JSON.stringify(projects?.state.data).length).toBeLessThan(MAX_PAGE_LIST_BYTES);
});

it("a row longer than a whole page is answered alone, and the next ones follow", async () => {
  const user = await newUser();
  const projectId = await newProject(user);
  await addProjects(user, 3);
  await addTopics(user, projectId, 4);
  const actor = actorOf(user);
  const projects: string[] = [];
  for await (const { title } of everyRow((cursor) => listProjects(actor, { cursor }, { maxBytes: 1 })))
    projects.push(title);
  expect(projects).toEqual((await listProjects(actor)).items.map(({ title }) => title));
  expect(projects).toHaveLength(4);
  const topics = [];
  for await (const { name } of everyRow((cursor) => listTopics(actor, projectId, { cursor }, 1))) topics.push(name);
  expect(topics).toEqual(["Topic 4", "Topic 3", "Topic 2", "Topic 1"]);
});

it("projects, topics and keywords take a limit and a cursor", async () => {
  const user = await newWorkspace();
  await addProjects(user, 6);
  await addTopics(user, user.projectId, 6);
  await query("INSERT INTO keywords (topic_id, keyword) SELECT $1, 'k' || n FROM generate_series(1, $2::int) n", [
    user.topicId,
    MAX_KEYWORDS,
  ]);
  for (const [url, count, limit] of [
    ["/api/projects", 7, 3],
    [`/api/projects/${user.projectId}/topics`, 7, 7],
    [`/api/topics/${user.topicId}/keywords`, MAX_KEYWORDS, 200],
  ] as const) {
    const whole = await pagesOf<{ id: number }>(user, url);
    const paged = await pagesOf<{ id: number }>(user, `${url}?limit=${limit}`);
    expect(whole.sizes).toHaveLength(1);
    expect(paged.sizes).toHaveLength(Math.ceil(count / limit));
    expect(paged.rows).toEqual(whole.rows);
    expectEachOnce(paged.rows, count);
    // As everywhere, an invalid cursor is the top.
    expect((await pagesOf(user, `${url}?cursor=nonsense`)).rows).toEqual(whole.rows);
  }
});

it("the library's counts keep a project's topics together, page after page", async () => {
  const user = await newUser();
  await query(
    `WITH p AS (INSERT INTO projects (user_id, title) SELECT $1, 'P' || n FROM generate_series(1, 40) n RETURNING id),
     t AS (INSERT INTO topics (user_id, project_id, name, description)
       SELECT $1, p.id, repeat('園', 200), 'd' FROM p, generate_series(1, 50) n RETURNING id, project_id)
     INSERT INTO content_pieces (user_id, project_id, topic_id, title) SELECT $1, t.project_id, t.id, 'Soil' FROM t`,
    [user.id],
  );
  for (const url of ["/api/content/groups", "/api/content/groups?search=soil"]) {
    const { rows, sizes } = await pagesOf<{ projectId: number; count: number; topics: unknown[] }>(user, url);
    expectEachOnce(
      rows.map(({ projectId }) => ({ id: projectId })),
      40,
    );
    expect(rows.every(({ count, topics }) => count === 50 && topics.length === 50)).toBe(true);
    expect(rows[0]).not.toHaveProperty("createdAt");
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_LIST_BYTES);
  }
  const groups = [];
  const actor = actorOf(user);
  const oneByOne = everyRow((cursor) => contentGroups(actor, { cursor }, { maxBytes: 1 }));
  for await (const { projectId } of oneByOne) groups.push(projectId);
  expect(new Set(groups).size).toBe(40);
  const read = await selectGroups(user.id, {}, { cursor: undefined, maxBytes: MAX_LIST_BYTES / 2 });
  expect(read.length).toBeLessThan((40 * 50) / 2);
});

it("pieces with long titles are answered in pages of at most a megabyte", async () => {
  const user = await newUser();
  const projectId = await newProject(user);
  const topicId = await newTopic(user, projectId);
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title)
     SELECT $1, $2, $3, repeat(chr(1), 280) || n FROM generate_series(1, 1000) n`,
    [user.id, projectId, topicId],
  );
  const { rows, sizes } = await pagesOf<{ id: string }>(user, "/api/content");
  expectEachOnce(rows, 1000);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_LIST_BYTES);
  expect((await listContent(actorOf(user), { limit: 50 })).items).toHaveLength(50);
});
