import pg from "pg";
import { GET } from "@/app/api/content/groups/route";
import { PLACES, PLACES_EACH, PLACES_OF_A_SEARCH, WAITING_EACH } from "@/lib/limits/bounds";
import { type Caller, createCaller } from "@/tests/support/app";
import { databaseUrl, deleteEverything, query } from "@/tests/support/db";
import { newWorkspace, type User } from "@/tests/support/factories";
import { type SecondProcess, startSecondProcess } from "@/tests/support/second-process";
import { countStatements } from "@/tests/support/statements";

/** The worst needle for strpos, and the text it is slow on. */
const SLOW_NEEDLE = `b${"a".repeat(299)}`;
const SLOW_TEXT = "a".repeat(500_000);

let other: SecondProcess;
beforeAll(async () => {
  other = await startSecondProcess();
});
afterAll(async () => {
  await other.close();
  await deleteEverything();
});

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

function searchUrl(needle: string, filter = ""): string {
  return `/api/content/groups?search=${encodeURIComponent(needle)}${filter}`;
}

/** Inserts pieces with this text directly. */
function fill({ id, projectId, topicId }: Workspace, count: number, body: string): Promise<unknown> {
  return query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
     SELECT $1, $2, $3, 'Seed mix ' || n, $4 FROM generate_series(1, $5::int) n`,
    [id, projectId, topicId, body, count],
  );
}

/** Makes all access to pieces wait until released, like a search over many texts. */
async function holdPieces(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  await client.query("BEGIN");
  await client.query("LOCK TABLE content_pieces IN ACCESS EXCLUSIVE MODE");
  return () => client.end();
}

async function whileHeld<Result>(work: (release: () => Promise<void>) => Promise<Result>): Promise<Result> {
  const release = await holdPieces();
  try {
    return await work(release);
  } finally {
    await release();
  }
}

/** The number of the product's statements waiting for the pieces. */
async function waitingStatements(): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
  );
  return row?.count ?? 0;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

/** Another caller with the same session. */
function again({ caller }: User): Caller {
  return createCaller(caller.cookie());
}

const TOO_BROAD = "This search took too long. Use a longer or different word, or choose a project, then search again.";

describe("a needle made to be slow", () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await newWorkspace();
    await fill(workspace, 30, SLOW_TEXT);
  }, 60_000);

  it.each([
    ["a letter and 299 others", SLOW_NEEDLE],
    ["299 letters and another", `${"a".repeat(299)}b`],
    ["another letter in the middle", `${"a".repeat(150)}b${"a".repeat(149)}`],
    ["letters in capitals", SLOW_NEEDLE.toUpperCase()],
  ])("takes time in proportion to the text's length: %s", async (name, needle) => {
    const { result, ms } = await timed(() => workspace.caller.get(searchUrl(needle)));
    process.stdout.write(`15 MB searched for ${name}: ${Math.round(ms)} ms\n`);
    // strpos would need twice the time limit of a search.
    expect(result).toMatchObject({ status: 200, body: [] });
  });
});

describe("a search", () => {
  // Long needles take the other path in lib/db/contains.ts.
  it.each(["x".repeat(3), "ab".repeat(40)])("finds exactly the texts that contain it (%#)", async (unit) => {
    const workspace = await newWorkspace();
    const needles = ["***=", ".*", "\\d+", "[a-z]", "(", "(?i)", "%_", "\\", "^$", "ÄÖ", "日本", "😀", "a\nb", "'"].map(
      (special) => `${unit}${special}${unit}`,
    );
    const bodies = [...needles, unit, `${unit}${unit}`, unit.toUpperCase()];
    for (const body of bodies) await fill(workspace, 1, `Before ${body} and after`);
    for (const needle of needles) {
      const { body } = await workspace.caller.get<{ count: number }[]>(searchUrl(needle));
      expect({ needle, count: body[0]?.count }).toEqual({ needle, count: 1 });
    }
    const { body } = await workspace.caller.get<{ count: number }[]>(searchUrl(unit.toUpperCase()));
    expect(body[0]?.count).toBe(bodies.length);
  });

  it("makes as many statements for one piece as for many", async () => {
    const workspace = await newWorkspace();
    await fill(workspace, 30, "Soil and water");
    const counts = [];
    for (const url of [searchUrl("water"), "/api/content?search=water", "/api/content"]) {
      const { statements } = await countStatements(() => workspace.caller.get(url));
      counts.push(statements.filter((statement) => statement !== "COMMIT").length);
    }
    expect(counts).toEqual([2, 2, 2]);
  });

  it("stops after two seconds with a sentence", async () => {
    const { caller } = await newWorkspace();
    await whileHeld(async () => {
      const urls = [searchUrl("soil"), "/api/content?search=soil&limit=8"];
      const answers = await Promise.all(urls.map((url) => timed(() => caller.get(url))));
      for (const { result, ms } of answers) {
        expect(result).toMatchObject({ status: 400, body: { type: "SEARCH_TOO_BROAD", error: TOO_BROAD } });
        expect(ms).toBeGreaterThan(1_900);
      }
      expect(await waitingStatements()).toBe(0);
    });
    expect(await caller.get(searchUrl("soil"))).toMatchObject({ status: 200 });
  });

  it("stops with its request", async () => {
    const { caller } = await newWorkspace();
    const gone = new AbortController();
    await whileHeld(async () => {
      const headers = { cookie: caller.cookie() ?? "" };
      const answer = GET(new Request(`http://localhost:3000${searchUrl("soil")}`, { headers, signal: gone.signal }));
      await until(async () => (await waitingStatements()) === 1);
      gone.abort();
      await until(async () => (await waitingStatements()) === 0);
      // After two seconds it would be 400.
      expect((await answer).status).toBe(429);
    });
    expect(await caller.get(searchUrl("soil"))).toMatchObject({ status: 200 });
  });

  it("does not queue for a request that was aborted before", async () => {
    const { caller } = await newWorkspace();
    await whileHeld(async (release) => {
      const headers = { cookie: caller.cookie() ?? "" };
      const ask = (signal?: AbortSignal) =>
        GET(new Request(`http://localhost:3000${searchUrl("soil")}`, { headers, ...(signal ? { signal } : {}) }));
      const others = [ask(), ask()];
      await until(async () => (await waitingStatements()) === 2);
      expect((await ask(AbortSignal.abort())).status).toBe(429);
      expect(await waitingStatements()).toBe(2);
      await release();
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
    });
  });

  it("serves all concurrent calls of one page of the library", async () => {
    const workspace = await newWorkspace();
    await fill(workspace, 200, "Soil and water ".repeat(400));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => workspace.caller.get("/api/content?search=seed")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});

describe("a user's searches", () => {
  it("run at most two at a time in a process, and each gets its turn", async () => {
    const workspace = await newWorkspace();
    let most = 0;
    const answers = await whileHeld(async (release) => {
      const all = Promise.all(Array.from({ length: 12 }, () => again(workspace).get(searchUrl("soil"))));
      for (const began = performance.now(); performance.now() - began < 1_000; await pause(5)) {
        most = Math.max(most, await waitingStatements());
      }
      await release();
      return all;
    });
    expect(most).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  it("are refused beyond those that may wait, with a time to wait", async () => {
    const workspace = await newWorkspace();
    await whileHeld(async (release) => {
      const all = Array.from({ length: 100 }, () => again(workspace).get(searchUrl("soil")));
      await pause(500);
      await release();
      const answers = await Promise.all(all);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThanOrEqual(100 - PLACES_EACH - WAITING_EACH - 2);
      for (const { headers } of refused) expect(headers.get("retry-after")).toBe("1");
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    });
    expect(await workspace.caller.get(searchUrl("soil"))).toMatchObject({ status: 200 });
  });
});

describe("during others' searches", () => {
  const HOSTS = 6;
  /** The measured attack: a hundred pieces of half a megabyte, twelve searches at once. */
  let attacker: Workspace;
  let hostile: Workspace[];
  let bystander: Workspace;
  beforeAll(async () => {
    bystander = await newWorkspace();
    hostile = await Promise.all(Array.from({ length: HOSTS }, () => newWorkspace()));
    for (const workspace of hostile) await fill(workspace, 8, SLOW_TEXT);
    attacker = await newWorkspace();
    await fill(attacker, 100, SLOW_TEXT);
  }, 60_000);

  it.each([
    [12, "one user over a hundred pieces", () => [attacker]],
    [200, "one user", () => hostile.slice(0, 1)],
    [200, `${HOSTS} people`, () => hostile],
  ])("%i searches by %s at two processes do not slow others down", async (searches, who, peopleOf) => {
    const people = peopleOf();
    const calls = Array.from({ length: searches }, (_, at) => ({
      method: "GET",
      url: searchUrl(SLOW_NEEDLE),
      cookie: (people[at % people.length] as Workspace).caller.cookie() ?? "",
    }));
    let ended = false;
    const here = calls.filter((_, at) => at % 2 === 0);
    const there = other.callAll(calls.filter((_, at) => at % 2 === 1));
    const began = performance.now();
    const all = Promise.all([...here.map(({ url, cookie }) => createCaller(cookie).get(url)), there]).finally(() => {
      ended = true;
    });
    const times = { health: [] as number[], projects: [] as number[] };
    do {
      const health = await timed(() => bystander.caller.get("/api/health"));
      const projects = await timed(() => bystander.caller.get("/api/projects"));
      expect([health.result.status, projects.result.status]).toEqual([200, 200]);
      times.health.push(health.ms);
      times.projects.push(projects.ms);
      await pause(5);
    } while (!ended);
    const statuses = (await all).flat().map(({ status }) => status);
    const figures = `health ${p99(times.health)} ms, projects ${p99(times.projects)} ms`;
    const spent = Math.round(performance.now() - began);
    process.stdout.write(
      `${searches} searches by ${who}: ${spent} ms, p99 of ${times.health.length}: ${figures}; ${tally(statuses)}\n`,
    );
    // The target is for p99; the test checks the median, because other suites share the machine.
    expect(quantile(times.health, 0.5)).toBeLessThan(250);
    expect(quantile(times.projects, 0.5)).toBeLessThan(250);
    expect(statuses.filter((status) => ![200, 400, 429, 503].includes(status))).toEqual([]);
  });

  it("the pool keeps connections for what is not a search", async () => {
    await whileHeld(async (release) => {
      const searching = Promise.all(
        hostile.flatMap((workspace) =>
          [1, 2].map(() => createCaller(workspace.caller.cookie()).get(searchUrl("soil"))),
        ),
      );
      await until(async () => (await waitingStatements()) === PLACES / PLACES_OF_A_SEARCH);
      const times = [];
      for (let round = 0; round < 20; round++) times.push(await timed(() => bystander.caller.get("/api/projects")));
      expect(times.map(({ result }) => result.status)).toEqual(Array(20).fill(200));
      const ms = times.map((time) => time.ms);
      expect(quantile(ms, 0.5)).toBeLessThan(250);
      await release();
      expect((await searching).map(({ status }) => status)).toEqual(Array(2 * HOSTS).fill(200));
    });
  });
});

describe("any other statement", () => {
  it("stops after five seconds, in the database too, if it only reads; writes may take longer", async () => {
    const { id, caller } = await newWorkspace();
    const { prisma } = await import("@/lib/db/prisma");
    await whileHeld(async (release) => {
      const writing = prisma.$executeRaw`UPDATE content_pieces SET title = title WHERE user_id = ${id}::uuid`;
      // A Prisma query starts when it is awaited.
      const written = writing.then((count) => count);
      const { result, ms } = await timed(() => caller.get("/api/content"));
      expect(result).toMatchObject({ status: 503, body: { type: "SERVICE_UNAVAILABLE" } });
      expect(ms).toBeGreaterThan(4_900);
      await until(async () => (await waitingStatements()) === 1);
      await release();
      expect(await written).toBe(0);
    });
    expect(await caller.get("/api/content")).toMatchObject({ status: 200 });
  });
});

function p99(times: number[]): number {
  return Math.round(quantile(times, 0.99));
}

function quantile(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

function tally(statuses: number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(", ");
}
