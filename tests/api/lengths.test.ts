import { sweepQueues } from "@/inngest/functions/sweep-queues";
import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import { lengthInWords } from "@/lib/utils/words";
import { query } from "@/tests/support/db";
import { newPiece, newWorkspace } from "@/tests/support/factories";
import { sampleProvider, workspaceWithKey } from "@/tests/support/generation-workspace";

// The length of a text in words, beside `wordCount`, which splits at spaces.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const ai = sampleProvider();

const CHINESE = "阳台上的香草\n\n| 土 | 水 |\n| --- | --- |";

/** Runs the step of the scheduled sweep that counts words. */
async function sweep(): Promise<void> {
  const run = ({ id }: { id: string }, work: () => Promise<unknown>) => (id === "count-words" ? work() : undefined);
  await (sweepQueues as unknown as { fn(context: object): Promise<unknown> }).fn({ step: { run } });
}

const rowOf = async (id: string) =>
  (await query("SELECT length_in_words, version, text_version, updated_at FROM content_pieces WHERE id = $1", [id]))[0];

it("is written with each change of the body, by hand", async () => {
  const { caller, projectId, topicId } = await newWorkspace();
  const made = await caller.post<ContentOut>(`/api/projects/${projectId}/topics/${topicId}/content`, {
    title: "香草",
    body: CHINESE,
  });
  expect(made.body).toMatchObject({ lengthInWords: 5, wordCount: 11 });
  const url = `/api/content/${made.body.id}`;
  expect((await caller.patch<ContentOut>(url, { title: "Herbs" })).body.lengthInWords).toBe(5);
  expect((await caller.patch<ContentOut>(url, { body: "एक दो तीन" })).body.lengthInWords).toBe(3);
  expect((await caller.patch<ContentOut>(url, { outline: "## One" })).body.lengthInWords).toBe(3);
  const revisions = await caller.get<{ id: string; version: number }[]>(`${url}/revisions`);
  const first = revisions.body.find(({ version }) => version === 1);
  await caller.post(`${url}/revisions/${first?.id}/restore`);
  const listed = await caller.get<ContentSummary[]>(`/api/content?topicId=${topicId}`);
  expect(listed.body).toMatchObject([{ lengthInWords: 5 }]);
  expect((await caller.patch<ContentOut>(url, { body: "" })).body.lengthInWords).toBe(0);
});

it("is written with ideas and texts of the AI", async () => {
  const workspace = await workspaceWithKey(ai);
  await workspace.keywords("seed trays");
  const { body } = await workspace.ideas(1);
  const [idea] = body.contentIdeas as unknown as ContentOut[];
  expect(idea?.lengthInWords).toBe(0);
  await workspace.plan(idea?.id ?? "");
  await workspace.write(idea?.id ?? "");
  await workspace.plan(idea?.id ?? "");
  const written = (await workspace.caller.get<ContentOut>(`/api/content/${idea?.id}`)).body;
  expect(written.lengthInWords).toBeGreaterThan(600);
  expect(written.lengthInWords).toBe(lengthInWords(written.body));
});

/** Rows that other suites have inserted would be counted first. */
const countOthers = () => query("UPDATE content_pieces SET length_in_words = 0 WHERE length_in_words IS NULL");

it("is counted in the background where it is missing, which changes nothing else", async () => {
  await countOthers();
  const workspace = await newWorkspace();
  const id = await newPiece(workspace, workspace, { body: CHINESE });
  await query("UPDATE content_pieces SET length_in_words = NULL WHERE id = $1", [id]);
  const before = await rowOf(id);
  expect((await workspace.caller.get<ContentOut>(`/api/content/${id}`)).body.lengthInWords).toBeNull();
  await sweep();
  expect(await rowOf(id)).toEqual({ ...before, length_in_words: 5 });
});

it("is counted for all that lack it, more than one batch", async () => {
  await countOthers();
  const { id, projectId, topicId } = await newWorkspace();
  await query(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
     SELECT $1, $2, $3, 'Title ' || n, repeat('字', 2 * n) FROM generate_series(1, 25) n`,
    [id, projectId, topicId],
  );
  await sweep();
  const rows = await query<{ n: number }>("SELECT length_in_words AS n FROM content_pieces WHERE user_id = $1", [id]);
  expect(rows.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
});
