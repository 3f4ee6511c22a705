import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { MAX_PROJECTS } from "@/lib/features/projects/schema";
import { MAX_KEYWORDS, MAX_TOPICS } from "@/lib/features/topics/schema";
import { deleteEverything, query } from "@/tests/support/db";
import { newUser, newWorkspace } from "@/tests/support/factories";

type Refused = { type: string; error: string };

afterAll(deleteEverything);

/** Calls made at once; each but one is over the cap. */
const AT_ONCE = 20;

async function atOnce(call: (n: number) => Promise<{ status: number; body: unknown }>) {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => call(n)));
  const refused = answers.filter(({ status }) => status === 400).map(({ body }) => body as Refused);
  return { made: answers.length - refused.length, refused, statuses: answers.map(({ status }) => status) };
}

async function countOf(sql: string, id: string | number): Promise<number> {
  return (await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`, [id]))[0]?.count ?? -1;
}

/** One call succeeded; the others were refused with advice. */
function expectOne({ made, refused }: Awaited<ReturnType<typeof atOnce>>, sentence: RegExp): void {
  expect(made).toBe(1);
  for (const { type, error } of refused) {
    expect(type).toBe("VALIDATION_ERROR");
    expect(error).toMatch(sentence);
  }
}

describe("caps hold against 20 concurrent calls", () => {
  const figures: string[] = [];
  afterAll(() => process.stdout.write(`S25: caps against ${AT_ONCE} calls at once: ${figures.join(", ")}\n`));

  it("of projects", async () => {
    const { caller, id } = await newUser();
    await query("INSERT INTO projects (user_id, title) SELECT $1, 'P' || n FROM generate_series(1, $2::int) n", [
      id,
      MAX_PROJECTS - 1,
    ]);
    const outcome = await atOnce((n) => caller.post("/api/projects", { title: `One more ${n}` }));
    const stored = await countOf("projects WHERE user_id = $1", id);
    figures.push(`projects ${stored}`);
    expect(stored).toBe(MAX_PROJECTS);
    expectOne(outcome, /^You have 1,000 projects, the maximum\. Delete one you no longer need first\.$/);
  });

  it("of topics", async () => {
    const { caller, id, projectId } = await newWorkspace();
    await query(
      "INSERT INTO topics (user_id, project_id, name, description) SELECT $1, $2, 'T' || n, 'd' FROM generate_series(1, $3::int) n",
      [id, projectId, MAX_TOPICS - 2],
    );
    const body = { name: "One more", description: "d" };
    const outcome = await atOnce(() => caller.post(`/api/projects/${projectId}/topics`, body));
    const stored = await countOf("topics WHERE project_id = $1", projectId);
    figures.push(`topics ${stored}`);
    expect(stored).toBe(MAX_TOPICS);
    expectOne(outcome, /^This project has 500 topics, the maximum\. Use another project\.$/);
  });

  it("of keywords, added one by one", async () => {
    const { caller, topicId } = await newWorkspace();
    await fillKeywords(topicId, MAX_KEYWORDS - 1);
    const outcome = await atOnce((n) => caller.post(`/api/topics/${topicId}/keywords`, { keyword: `one more ${n}` }));
    const stored = await countOf("keywords WHERE topic_id = $1", topicId);
    figures.push(`keywords ${stored}`);
    expect(stored).toBe(MAX_KEYWORDS);
    expectOne(outcome, /^A topic can have at most 500 keywords, and this one has 500\. Delete some first\.$/);
  });

  it("of keywords, with a hundred suggestions in each call", async () => {
    const { caller, topicId } = await newWorkspace();
    await fillKeywords(topicId, MAX_KEYWORDS - 100);
    const outcome = await atOnce((n) =>
      caller.post(`/api/topics/${topicId}/add-suggested-keywords`, {
        keywords: Array.from({ length: 100 }, (_, at) => `suggested ${n} ${at}`),
      }),
    );
    const stored = await countOf("keywords WHERE topic_id = $1", topicId);
    figures.push(`suggested keywords ${stored}`);
    expect(stored).toBe(MAX_KEYWORDS);
    expectOne(outcome, /^A topic can have at most 500 keywords, and this one has 500\. Delete some first\.$/);
  });

  it("of pieces", async () => {
    const { caller, id, projectId, topicId } = await newWorkspace();
    await query(
      `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
       SELECT $1, $2, $3, 'Piece ' || n, '' FROM generate_series(1, $4::int) n`,
      [id, projectId, topicId, MAX_PIECES - 1],
    );
    const url = `/api/projects/${projectId}/topics/${topicId}/content`;
    const outcome = await atOnce((n) => caller.post(url, { title: `One more ${n}` }));
    const stored = await countOf("content_pieces WHERE project_id = $1", projectId);
    figures.push(`pieces ${stored}`);
    expect(stored).toBe(MAX_PIECES);
    expectOne(outcome, /^This project has 10,000 pieces, the maximum\. Delete some, or use another project\.$/);
  }, 60_000);
});

async function fillKeywords(topicId: number, count: number): Promise<void> {
  await query("INSERT INTO keywords (topic_id, keyword) SELECT $1, 'k' || n FROM generate_series(1, $2::int) n", [
    topicId,
    count,
  ]);
}

it("a full topic accepts suggestions that it already has", async () => {
  const { caller, topicId } = await newWorkspace();
  await fillKeywords(topicId, MAX_KEYWORDS);
  const known = await caller.post(`/api/topics/${topicId}/add-suggested-keywords`, { keywords: ["K1", "k2"] });
  expect(known).toMatchObject({ status: 200, body: { count: 0 } });
});

it("items beyond a newer cap stay in lists and in the export", async () => {
  const { caller, id, projectId, topicId } = await newWorkspace();
  await fillKeywords(topicId, MAX_KEYWORDS + 100);
  await query(
    "INSERT INTO topics (user_id, project_id, name, description) SELECT $1, $2, 'T' || n, 'd' FROM generate_series(1, $3::int) n",
    [id, projectId, MAX_TOPICS + 10],
  );
  await query("INSERT INTO projects (user_id, title) SELECT $1, 'P' || n FROM generate_series(1, $2::int) n", [
    id,
    MAX_PROJECTS + 10,
  ]);
  expect((await caller.get<unknown[]>(`/api/topics/${topicId}/keywords`)).body).toHaveLength(MAX_KEYWORDS + 100);
  expect((await caller.get<unknown[]>(`/api/projects/${projectId}/topics`)).body).toHaveLength(MAX_TOPICS + 11);
  expect((await caller.get<unknown[]>("/api/projects")).body).toHaveLength(MAX_PROJECTS + 11);
  // Lists of pieces do not depend on the cap; more than one page of them is enough.
  const PAGES_OF_PIECES = 1_010;
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title)
     SELECT $1, $2, $3, 'Piece ' || n FROM generate_series(1, $4::int) n`,
    [id, projectId, topicId, PAGES_OF_PIECES],
  );
  let [pieces, url] = [0, `/api/projects/${projectId}/content`];
  while (url) {
    const { body, headers } = await caller.get<unknown[]>(url);
    pieces += body.length;
    url = /<(.+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
  }
  expect(pieces).toBe(PAGES_OF_PIECES);

  // The export reads 50 at a time, and the revisions piece by piece.
  const EXPORTED_PIECES = 110;
  await query("DELETE FROM content_pieces WHERE id IN (SELECT id FROM content_pieces WHERE user_id = $1 LIMIT $2)", [
    id,
    PAGES_OF_PIECES - EXPORTED_PIECES,
  ]);
  const zip = new Uint8Array(await (await caller.respond("GET", "/api/user/export")).arrayBuffer());
  const entries = await new ZipReader(new Uint8ArrayReader(zip)).getEntries();
  const named = (end: string) => entries.filter(({ filename }) => filename.endsWith(end));
  expect(named("/project.json")).toHaveLength(MAX_PROJECTS + 11);
  expect(named("/keywords.csv")).toHaveLength(MAX_TOPICS + 11);
  expect(named(".md")).toHaveLength(EXPORTED_PIECES);
  const [longest] = named("/keywords.csv").sort((a, b) => b.uncompressedSize - a.uncompressedSize);
  const csv = longest && "getData" in longest ? await longest.getData?.(new TextWriter()) : "";
  expect(csv?.trim().split("\r\n")).toHaveLength(1 + MAX_KEYWORDS + 100);
}, 120_000);
