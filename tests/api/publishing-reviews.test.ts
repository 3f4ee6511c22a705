import type { Reviewed } from "@/lib/features/content/seo/material";
import { MAX_REVIEWED, REVIEWING_MS, REVIEWS_REMEMBERED } from "@/lib/features/publishing/rules";
import type { ReviewOut } from "@/lib/features/publishing/schema";
import { MAX_LOSSES } from "@/lib/markdown/losses";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";

const mockWorker = { reviewed: [] as string[], failure: null as string | null, clock: 0 };
/** Notes what is reviewed, and fails as a busy pool does. */
const mockReview = { losses: 1, score: 50, findings: [], found: 0, holding: 0, outbound: 0, internal: [] };
jest.mock("@/lib/workers/post", () => {
  const real = jest.requireActual<typeof import("@/lib/workers/post")>("@/lib/workers/post");
  const { AppError } = jest.requireActual<typeof import("@/lib/errors")>("@/lib/errors");
  return {
    ...real,
    reviewInWorker: async (userId: string, piece: Reviewed) => {
      mockWorker.reviewed.push(piece.body);
      if (mockWorker.failure) throw new AppError(mockWorker.failure as "INTERNAL");
      mockWorker.clock += piece.body.includes("slow") ? 3_000 : 0;
      return piece.body.includes("pretended") ? JSON.stringify(mockReview) : real.reviewInWorker(userId, piece);
    },
  };
});

beforeEach(() => {
  mockWorker.reviewed = [];
  mockWorker.failure = null;
});
afterEach(() => jest.restoreAllMocks());

const LOSSY = "One <!-- a --> two ![b](c.png).";

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

const reviewsOf = ({ caller }: Workspace, ids: string[]) =>
  caller.get<ReviewOut[]>(`/api/content/reviews?ids=${ids.join(",")}`);

/** How much readers will not get of each text. */
async function countsOf(workspace: Workspace, ids: string[]) {
  const { status, body } = await reviewsOf(workspace, ids);
  return { status, body: status === 200 ? body.map(({ id, losses: count }) => ({ id, count })) : [] };
}

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

it("says what may be unfinished, with what holds first, and where the links lead", async () => {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, {
    title: "Rain gardens",
    body: "Dig [here](/digging) or [there](https://other.example/).\n\n## \n\nHalf of it runs off [source needed: half].",
  });
  await workspace.caller.patch(`/api/content/${id}`, { slug: "Wet" });
  const [review] = (await reviewsOf(workspace, [id])).body;
  expect(review).toMatchObject({ holding: 2, outbound: 1, internal: ["/digging"], slug: "wet", rivals: [] });
  expect(review?.findings.map(({ kind, holds }) => [kind, holds])).toEqual([
    ["sourceNeeded", true],
    ["emptyHeading", true],
    ["description", false],
  ]);
  expect(review?.score).toBeGreaterThan(0);
});

it("names the pieces of the project with the same title or focus keyword, and no others", async () => {
  const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
  const about = { body: "Dig where the water is, and do not stop at the clay.", title: "Rain gardens" };
  const id = await newPiece(workspace, workspace, about);
  const fields = async (piece: string, focusKeyword: string, { caller } = workspace) =>
    expect((await caller.patch(`/api/content/${piece}`, { focusKeyword })).status).toBe(200);
  await fields(id, "rain garden");
  await fields(await newPiece(workspace, workspace, { ...about, title: "In clay" }), "rain gardens");
  await fields(await newPiece(workspace, workspace, { ...about, title: "In sand" }), "sand");
  await newPiece(workspace, workspace, { ...about, title: "RAIN GARDENS" });
  await fields(await newPiece(stranger, stranger, about), "rain garden", stranger);
  const [review] = (await reviewsOf(workspace, [id])).body;
  expect(new Set(review?.rivals.map(({ title }) => title))).toEqual(new Set(["In clay", "RAIN GARDENS"]));
  expect(review?.findings.map(({ kind }) => kind)).toEqual(["description", "sameTitle", "sameKeyword"]);
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
  // What one user has reviewed is no other's to read.
  expect((await countsOf(stranger, [own])).body).toEqual([]);
});

it("takes a hundred ids at most, and nothing else", async () => {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { body: LOSSY });
  expect((await countsOf(workspace, Array(MAX_REVIEWED).fill(id))).body).toEqual([{ id, count: 2 }]);
  expect((await countsOf(workspace, Array(MAX_REVIEWED + 1).fill(id))).status).toBe(400);
  expect((await countsOf(workspace, ["nothing"])).status).toBe(400);
  expect((await workspace.caller.get("/api/content/reviews")).status).toBe(400);
});

it("reviews a text once, and again after a change", async () => {
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { body: LOSSY });
  const complex = await newPiece(workspace, workspace, { body: `${"> ".repeat(200)}b` });
  for (let times = 0; times < 3; times++) {
    expect((await countsOf(workspace, [id, complex])).body).toEqual([{ id, count: 2 }]);
  }
  expect(mockWorker.reviewed).toHaveLength(2);
  await workspace.caller.patch(`/api/content/${id}`, { body: "One <!-- a --> two." });
  expect((await countsOf(workspace, [id])).body).toEqual([{ id, count: 1 }]);
});

it("remembers a bounded number of reviews", async () => {
  const workspace = await newWorkspace();
  const first = await newPiece(workspace, workspace, { body: "The first, pretended." });
  await countsOf(workspace, [first]);
  const others = await copies(first, REVIEWS_REMEMBERED);
  for (let at = 0; at < others.length; at += MAX_REVIEWED) {
    await countsOf(workspace, others.slice(at, at + MAX_REVIEWED));
  }
  mockWorker.reviewed = [];
  await countsOf(workspace, [others.at(-1) ?? ""]);
  expect(mockWorker.reviewed).toEqual([]);
  await countsOf(workspace, [first]);
  expect(mockWorker.reviewed).toHaveLength(1);
});

it("answers what it has reviewed in its time, and the next call goes on with the others", async () => {
  const workspace = await newWorkspace();
  const first = await newPiece(workspace, workspace, { body: "A slow text, pretended." });
  const ids = [first, ...(await copies(first, 19))];
  const now = performance.now();
  jest.spyOn(performance, "now").mockImplementation(() => now + mockWorker.clock);
  const answered = (await countsOf(workspace, ids)).body;
  expect(REVIEWING_MS).toBeLessThan(3_000);
  expect(answered).toHaveLength(8);
  const again = (await countsOf(workspace, ids)).body;
  expect(again).toHaveLength(16);
  expect(again).toEqual(expect.arrayContaining(answered));
});

it("leaves out what waits for too many others, and reviews it the next time", async () => {
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
