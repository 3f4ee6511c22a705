import { needsSession } from "@/lib/transport/access";
import { query } from "@/tests/support/db";
import { newUser, type User } from "@/tests/support/factories";
import { callOperation, listOperations, operationNames } from "@/tests/support/operations";
import { countStatements } from "@/tests/support/statements";
import { newWorld, type World } from "@/tests/support/world";

/** Statements that a request may take, including the session's (promise P3). */
const MOST_STATEMENTS = 6;
const SIZES = [1, 10, 200];

/** Adds projects with ten topics, each with a keyword and two pieces with a body. */
async function fill({ id }: User, projects: number, wordsABody = 40): Promise<void> {
  await query(
    `WITH p AS (INSERT INTO projects (user_id, title) SELECT $1, 'Project ' || n FROM generate_series(1, $2::int) n RETURNING id),
     t AS (INSERT INTO topics (user_id, project_id, name, description)
       SELECT $1, p.id, 'Topic ' || n, 'About it.' FROM p, generate_series(1, 10) n RETURNING id, project_id),
     k AS (INSERT INTO keywords (topic_id, keyword) SELECT id, 'word' FROM t)
     INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
     SELECT $1, t.project_id, t.id, 'Piece ' || n, repeat('some words ', $3::int) FROM t, generate_series(1, 2) n`,
    [id, projects, wordsABody],
  );
}

describe("lists", () => {
  it("take the same few statements at 1, 10 and 200 projects", async () => {
    // The export reads everything page by page; it is not a list.
    const reads = (await listOperations()).filter(
      ({ method, spec }) => method === "GET" && needsSession(spec) && !spec.produces,
    );
    const table: string[] = [];
    const counts = new Map<string, number[]>();
    const worlds: World[] = [];
    for (const size of SIZES) {
      const world = await newWorld();
      await fill(world, size - 1);
      worlds.push(world);
    }
    for (const { name } of reads) {
      for (const world of worlds) {
        const { count } = await countStatements(() => callOperation(name, world.caller, world));
        counts.set(name, [...(counts.get(name) ?? []), count]);
      }
      table.push(`  ${name}: ${counts.get(name)?.join(", ")}`);
    }
    process.stdout.write(`P3 statements a request at ${SIZES.join(", ")} projects:\n${table.join("\n")}\n`);
    for (const [name, [first, ...others]] of counts) {
      expect([name, others]).toEqual([name, others.map(() => first)]);
      expect([name, (first ?? 0) <= MOST_STATEMENTS]).toEqual([name, true]);
    }
    expect(counts.size).toBeGreaterThan(12);
  }, 60_000);

  it("never carry a body or an outline", async () => {
    const world = await newWorld();
    await query("UPDATE content_pieces SET body = 'needle-in-body', outline = 'needle-in-outline' WHERE user_id = $1", [
      world.id,
    ]);
    for (const name of operationNames().filter((one) => /^GET .*\/content(\/groups)?$/.test(one))) {
      const answer = await callOperation(name, world.caller, world, { query: {} });
      expect([name, answer.status]).toEqual([name, 200]);
      expect(answer.text).not.toContain("needle-in");
      expect(answer.text.length).toBeGreaterThan(2);
    }
  });

  it("return at most a thousand rows without a limit, and a cursor for the rest", async () => {
    const user = await newUser();
    await fill(user, 51);
    const all: string[] = [];
    let url: string | undefined = "/api/content";
    const sizes: number[] = [];
    while (url) {
      const page: Awaited<ReturnType<typeof user.caller.get<{ id: string }[]>>> = await user.caller.get(url);
      sizes.push(page.body.length);
      all.push(...page.body.map(({ id }) => id));
      url = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(sizes).toEqual([1000, 20]);
    expect(new Set(all).size).toBe(1020);
  });

  it("keep their place while pieces are added and deleted at the top", async () => {
    const world = await newWorld();
    await fill(world, 2);
    const first = await world.caller.get<{ id: string }[]>("/api/content?limit=10");
    const next = /<(.+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const expected = (await world.caller.get<{ id: string }[]>(next)).body.map(({ id }) => id);
    await world.caller.delete(`/api/content/${first.body[0]?.id}`);
    await world.caller.post(`/api/projects/${world.projectId}/topics/${world.topicId}/content`, { title: "Brand new" });
    expect((await world.caller.get<{ id: string }[]>(next)).body.map(({ id }) => id)).toEqual(expected);
  });
});

describe("a search", () => {
  it("finds any text in any script, in the title or deep in a body", async () => {
    const world = await newWorld();
    // Bodies of 6 KB.
    await fill(world, 10, 550);
    const needles = ["ä", "Ж", "园艺", "%", "_", "\\", "'", "q", "🌱", "ﬁ", "שלום"];
    for (const [place, needle] of needles.entries()) {
      const column = place % 2 === 0 ? "title" : "body";
      await query(
        `UPDATE content_pieces SET ${column} = ${column} || ' ' || $2 || ' x' WHERE id =
           (SELECT id FROM content_pieces WHERE user_id = $1 AND title LIKE 'Piece%' ORDER BY id OFFSET $3 LIMIT 1)`,
        [world.id, needle, place * 15],
      );
    }
    for (const needle of needles) {
      const found = await world.caller.get<unknown[]>(`/api/content?search=${encodeURIComponent(needle)}`);
      expect([needle, found.body.length]).toEqual([needle, 1]);
      const groups = await world.caller.get<{ count: number }[]>(
        `/api/content/groups?search=${encodeURIComponent(needle)}`,
      );
      expect([needle, groups.body.map(({ count }) => count)]).toEqual([needle, [1]]);
    }
    // In any case, in scripts that have one.
    for (const needle of ["Ä", "ж", "Q"]) {
      const found = await world.caller.get<unknown[]>(`/api/content?search=${encodeURIComponent(needle)}`);
      expect([needle, found.body.length]).toEqual([needle, 1]);
    }
    const none = await world.caller.get<unknown[]>("/api/content?search=nowhere-at-all");
    expect(none.body).toEqual([]);
  });
});
