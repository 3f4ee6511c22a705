import { COUNTING_MS, COUNTS_REMEMBERED, MAX_COUNTED } from "@/lib/features/publishing/rules";
import type { LossCount } from "@/lib/features/publishing/schema";
import { MAX_LOSSES } from "@/lib/markdown/losses";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

const mockWorker = { counted: [] as string[], failure: null as string | null, clock: 0 };
/** Notes what is counted, and fails as a busy pool does. */
jest.mock("@/lib/workers/post", () => {
  const real = jest.requireActual<typeof import("@/lib/workers/post")>("@/lib/workers/post");
  const { AppError } = jest.requireActual<typeof import("@/lib/errors")>("@/lib/errors");
  return {
    ...real,
    countLossesInWorker: async (userId: string, markdown: string) => {
      mockWorker.counted.push(markdown);
      if (mockWorker.failure) throw new AppError(mockWorker.failure as "INTERNAL");
      mockWorker.clock += markdown.includes("slow") ? 3_000 : 0;
      return markdown.includes("pretended") ? 1 : real.countLossesInWorker(userId, markdown);
    },
  };
});

beforeEach(() => {
  mockWorker.counted = [];
  mockWorker.failure = null;
});
afterEach(() => jest.restoreAllMocks());

const LOSSY = "One <!-- a --> two ![b](c.png).";

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

const countsOf = ({ caller }: Workspace, ids: string[]) =>
  caller.get<LossCount[]>(`/api/content/losses?ids=${ids.join(",")}`);

it("counts what readers will not get of each text", async () => {
  const workspace = await newWorkspace();
  const [lossy, whole, many] = [
    await newPiece(workspace, workspace, { body: LOSSY }),
    await newPiece(workspace, workspace, { body: "One two." }),
    await newPiece(workspace, workspace, { body: "<!-- a -->\n\n".repeat(300) }),
  ];
  const { status, body } = await countsOf(workspace, [lossy, whole, many]);
  expect(status).toBe(200);
  expect(new Map(body.map(({ id, count }) => [id, count]))).toEqual(
    new Map([
      [lossy, 2],
      [whole, 0],
      [many, MAX_LOSSES],
    ]),
  );
});

it("leaves out another user's pieces, deleted ones and texts that are too complex", async () => {
  const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
  const [own, theirs, complex] = [
    await newPiece(workspace, workspace, { body: LOSSY }),
    await newPiece(stranger, stranger, { body: LOSSY }),
    await newPiece(workspace, workspace, { body: `${"> ".repeat(200)}a` }),
  ];
  const ids = [theirs, complex, own, "1f6f5e0c-5a0e-4c39-9d3c-0a4a3b9d7a01"];
  expect((await countsOf(workspace, ids)).body).toEqual([{ id: own, count: 2 }]);
  // What one user has counted is no other's to read.
  expect((await countsOf(stranger, [own])).body).toEqual([]);
});

it("takes a hundred ids at most, and nothing else", async () => {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { body: LOSSY });
  expect((await countsOf(workspace, Array(MAX_COUNTED).fill(id))).body).toEqual([{ id, count: 2 }]);
  expect((await countsOf(workspace, Array(MAX_COUNTED + 1).fill(id))).status).toBe(400);
  expect((await countsOf(workspace, ["nothing"])).status).toBe(400);
  expect((await workspace.caller.get("/api/content/losses")).status).toBe(400);
});

it("counts a text once, and again after a change", async () => {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { body: LOSSY });
  const complex = await newPiece(workspace, workspace, { body: `${"> ".repeat(200)}b` });
  for (let times = 0; times < 3; times++) {
    expect((await countsOf(workspace, [id, complex])).body).toEqual([{ id, count: 2 }]);
  }
  expect(mockWorker.counted).toHaveLength(2);
  await workspace.caller.patch(`/api/content/${id}`, { body: "One <!-- a --> two." });
  expect((await countsOf(workspace, [id])).body).toEqual([{ id, count: 1 }]);
});

it("remembers a bounded number of counts", async () => {
  const workspace = await newWorkspace();
  const first = await newPiece(workspace, workspace, { body: "The first, pretended." });
  await countsOf(workspace, [first]);
  const others = await copies(first, COUNTS_REMEMBERED);
  for (let at = 0; at < others.length; at += MAX_COUNTED) {
    await countsOf(workspace, others.slice(at, at + MAX_COUNTED));
  }
  mockWorker.counted = [];
  await countsOf(workspace, [others.at(-1) ?? ""]);
  expect(mockWorker.counted).toEqual([]);
  await countsOf(workspace, [first]);
  expect(mockWorker.counted).toHaveLength(1);
});

it("answers what it has counted in its time, and the next call goes on with the others", async () => {
  const workspace = await newWorkspace();
  const first = await newPiece(workspace, workspace, { body: "A slow text, pretended." });
  const ids = [first, ...(await copies(first, 19))];
  const now = performance.now();
  jest.spyOn(performance, "now").mockImplementation(() => now + mockWorker.clock);
  const answered = (await countsOf(workspace, ids)).body;
  expect(COUNTING_MS).toBeLessThan(3_000);
  expect(answered).toHaveLength(8);
  const again = (await countsOf(workspace, ids)).body;
  expect(again).toHaveLength(16);
  expect(again).toEqual(expect.arrayContaining(answered));
});

it("leaves out what waits for too many others, and counts it the next time", async () => {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { body: LOSSY });
  mockWorker.failure = "SERVICE_UNAVAILABLE";
  expect(await countsOf(workspace, [id])).toMatchObject({ status: 200, body: [] });
  mockWorker.failure = "INTERNAL";
  expect((await countsOf(workspace, [id])).status).toBe(500);
  mockWorker.failure = null;
  expect((await countsOf(workspace, [id])).body).toEqual([{ id, count: 2 }]);
});

async function copies(id: string, count: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, status, is_title_only, version)
     SELECT user_id, project_id, topic_id, title, body, status, is_title_only, version
     FROM content_pieces, generate_series(1, $2::int) WHERE id = $1::uuid RETURNING id`,
    [id, count],
  );
  return rows.map((row) => row.id);
}
