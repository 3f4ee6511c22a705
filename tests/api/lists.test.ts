import { query } from "@/tests/support/db";
import { doors, knock, walkOperations } from "@/tests/support/doors";
import { newPerson, type Person } from "@/tests/support/factories";
import { countStatements } from "@/tests/support/statements";
import { newWorld, type World } from "@/tests/support/world";

/** Statements a request may take, the session's one included (promise P3). */
const MOST_STATEMENTS = 6;
const SIZES = [1, 10, 200];

/** Projects with ten topics, each with a keyword and two pieces with a body, beside what the person has. */
async function fill({ id }: Person, projects: number, wordsABody = 40): Promise<void> {
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

describe("lists stay small", () => {
  it("take the same few statements at 1, 10 and 200 projects", async () => {
    // A download reads everything there is, page by page: it is no list.
    const reads = (await walkOperations()).filter(
      ({ method, spec }) => method === "GET" && spec.access !== "anyone" && !spec.produces,
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
        const { count } = await countStatements(() => knock(name, world.caller, world));
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
    for (const name of Object.keys(doors).filter((one) => /^GET .*\/content(\/groups)?$/.test(one))) {
      const answer = await knock(name, world.caller, world, { query: {} });
      expect([name, answer.status]).toEqual([name, 200]);
      expect(answer.text).not.toContain("needle-in");
      expect(answer.text.length).toBeGreaterThan(2);
    }
  });

  it("answer a thousand rows at most where no limit is asked for, and say where the rest begins", async () => {
    const person = await newPerson();
    await fill(person, 51);
    const all: string[] = [];
    let url: string | undefined = "/api/content";
    const sizes: number[] = [];
    while (url) {
      const page: Awaited<ReturnType<typeof person.caller.get<{ id: string }[]>>> = await person.caller.get(url);
      sizes.push(page.body.length);
      all.push(...page.body.map(({ id }) => id));
      url = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(sizes).toEqual([1000, 20]);
    expect(new Set(all).size).toBe(1020);
  });

  it("keep their place while pieces come in and go at the top", async () => {
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

describe("search over 10,000 pieces", () => {
  it("finds any needle in any script, in the title or deep in a body", async () => {
    const world = await newWorld();
    // 6 KB a body.
    await fill(world, 500, 550);
    const needles = ["ä", "Ж", "园艺", "%", "_", "\\", "'", "q", "🌱", "ﬁ", "שלום"];
    for (const [place, needle] of needles.entries()) {
      const column = place % 2 === 0 ? "title" : "body";
      await query(
        `UPDATE content_pieces SET ${column} = ${column} || ' ' || $2 || ' x' WHERE id =
           (SELECT id FROM content_pieces WHERE user_id = $1 AND title LIKE 'Piece%' ORDER BY id OFFSET $3 LIMIT 1)`,
        [world.id, needle, place * 700],
      );
    }
    const times: number[] = [];
    for (const needle of needles) {
      const began = performance.now();
      const found = await world.caller.get<unknown[]>(`/api/content?search=${encodeURIComponent(needle)}`);
      times.push(performance.now() - began);
      expect([needle, found.body.length]).toEqual([needle, 1]);
      const groups = await world.caller.get<{ count: number }[]>(
        `/api/content/groups?search=${encodeURIComponent(needle)}`,
      );
      expect([needle, groups.body.map(({ count }) => count)]).toEqual([needle, [1]]);
    }
    // Whatever the case, in any script that has one.
    for (const needle of ["Ä", "ж", "Q"]) {
      const found = await world.caller.get<unknown[]>(`/api/content?search=${encodeURIComponent(needle)}`);
      expect([needle, found.body.length]).toEqual([needle, 1]);
    }
    const none = await world.caller.get<unknown[]>("/api/content?search=nowhere-at-all");
    expect(none.body).toEqual([]);
    times.sort((a, b) => a - b);
    process.stdout.write(
      `search over 10,000 pieces of 6 KB: median ${times[times.length >> 1]?.toFixed(0)} ms, slowest ${times.at(-1)?.toFixed(0)} ms\n`,
    );
  }, 120_000);
});
