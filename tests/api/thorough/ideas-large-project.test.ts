import { AppError } from "@/lib/errors";
import { TITLES_ON_THREAD_MAX } from "@/lib/limits/bounds";
import { fingerprint } from "@/lib/utils/text";
import { runInWorker } from "@/lib/workers/run";
import { query } from "@/tests/support/db";
import {
  type GenerationWorkspace,
  promptData,
  sampleProvider,
  workspaceWithKey,
} from "@/tests/support/generation-workspace";

// What a call for ideas costs the process in a project of many titles.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/utils/text", () => {
  const actual = jest.requireActual("@/lib/utils/text");
  return { ...actual, fingerprint: jest.fn(actual.fingerprint) };
});
jest.mock("@/lib/workers/run", () => {
  const actual = jest.requireActual("@/lib/workers/run");
  return { ...actual, runInWorker: jest.fn(actual.runInWorker) };
});

const ai = sampleProvider();
beforeEach(() => jest.clearAllMocks());

const ideaOf = (title: string) => JSON.stringify({ ideas: [{ title, angle: "A.", intent: "informational" }] });
const NEW = "Seed trays: which size suits a windowsill best";

async function projectOf(titles: number): Promise<GenerationWorkspace> {
  const workspace = await workspaceWithKey(ai);
  const { id, projectId, topicId } = workspace;
  await workspace.keywords("seed trays");
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title, created_at)
     SELECT $1, $2, $3, 'What to sow in the week of number ' || n, now() - n * interval '1 minute' FROM generate_series(1, $4::int) n`,
    [id, projectId, topicId, titles],
  );
  return workspace;
}

it("compares its titles in a worker, once a call and not with each answer", async () => {
  const workspace = await projectOf(TITLES_ON_THREAD_MAX + 1);
  await workspace.keywords("grow lights");
  // The oldest title: the worker has read it, and the provider has not.
  const taken = `What to sow in the week of: NUMBER ${TITLES_ON_THREAD_MAX + 1}`;
  ai.texts.push(ideaOf(taken), ideaOf(taken), ideaOf(NEW), ideaOf("Grow lights: how many hours a day seedlings need"));
  const { body } = await workspace.ideas(1);
  expect(body.message).toMatch(/^\d content idea/);
  expect(jest.mocked(runInWorker).mock.calls.map(([owner, task]) => [owner, task])).toEqual([
    [workspace.id, "titleKeys"],
  ]);
  // Twice for each title of an answer: by its prompt, and before it is saved.
  expect(jest.mocked(fingerprint).mock.calls.length).toBeLessThanOrEqual(2 * ai.requests.length);
  const rows = await query("SELECT 1 FROM content_pieces WHERE project_id = $1 AND title = $2", [
    workspace.projectId,
    taken,
  ]);
  expect(rows).toEqual([]);
});

it("shows the provider the newest 200 of them, with what was received so far first", async () => {
  const workspace = await projectOf(205);
  ai.texts.push(ideaOf(NEW), ideaOf(NEW));
  await workspace.ideas(2);
  const shown = ai.requests.map((request) => promptData(request)["existing-titles"] as string[]);
  expect(shown.map((titles) => [titles.length, titles[0]])).toEqual([
    [200, "What to sow in the week of number 1"],
    [200, "What to sow in the week of number 1"],
    [200, NEW],
  ]);
});

it("compares up to a thousand titles without a worker", async () => {
  const workspace = await projectOf(TITLES_ON_THREAD_MAX - 1);
  ai.texts.push(ideaOf(NEW));
  expect((await workspace.ideas(1)).status).toBe(200);
  expect(runInWorker).not.toHaveBeenCalled();
});

it.each(["SERVICE_UNAVAILABLE", "TOO_COMPLEX"] as const)(
  "asks nothing of the AI and reserves no place when the workers refuse (%s)",
  async (type) => {
    const workspace = await projectOf(TITLES_ON_THREAD_MAX + 1);
    jest.mocked(runInWorker).mockRejectedValueOnce(new AppError(type));
    const answer = await workspace.ideas(1);
    expect(answer).toMatchObject({
      status: 503,
      body: {
        type: "SERVICE_UNAVAILABLE",
        error:
          "The server is too busy to compare new ideas with this project's titles. The AI was not asked for any; try again in a moment.",
      },
    });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(ai.requests).toEqual([]);
    const [row] = await query("SELECT reserved_pieces AS n FROM projects WHERE id = $1", [workspace.projectId]);
    expect(row).toEqual({ n: 0 });
    expect((await workspace.ideas(1)).status).toBe(200);
  },
);
