import type { ContentGroup, ContentSummary } from "@/lib/features/content/schema";
import { CONTENT_STATUSES, stepOf } from "@/lib/features/content/states";
import { PIECE_STEPS, type PieceStep } from "@/lib/features/topics/rules";
import type { TopicOut } from "@/lib/features/topics/schema";
import type { Caller } from "@/tests/support/app";
import { suiteBlog } from "@/tests/support/blog";
import { query } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newWorkspace } from "@/tests/support/factories";
import { workspaceWithPost } from "@/tests/support/publishing-workspace";

const site = suiteBlog();

/** Each status with and without outline and body: a topic's pieces, and a topic without any. */
async function newTopicOfAll() {
  const workspace = await newWorkspace();
  const { id, projectId, topicId } = workspace;
  const emptyTopicId = await newTopic(workspace, projectId, "Empty");
  for (const status of CONTENT_STATUSES)
    await query(
      `INSERT INTO content_pieces (user_id, project_id, topic_id, title, status, body, outline)
       SELECT $1, $2, $3, concat_ws(' ', $4::text, body, outline), $4::content_status, body, outline
       FROM unnest(ARRAY[' ', 'text']) body, unnest(ARRAY[NULL, ' ', '## Outline']) outline`,
      [id, projectId, topicId, status],
    );
  return { ...workspace, emptyTopicId };
}

const listed = async (caller: Caller, filter: string) =>
  (await caller.get<ContentSummary[]>(`/api/content?${filter}`)).body;
const grouped = async (caller: Caller, filter: string) =>
  (await caller.get<ContentGroup[]>(`/api/content/groups?${filter}`)).body;
const stepsOf = async (caller: Caller, topicId: number) =>
  (await caller.get<TopicOut>(`/api/topics/${topicId}`)).body.steps;
const NONE = { idea: 0, outline: 0, text: 0, live: 0 };

it("counts each piece of a topic once, in the furthest step it has reached", async () => {
  const { caller, projectId, topicId, emptyTopicId } = await newTopicOfAll();
  const pieces = await listed(caller, `topicId=${topicId}`);
  expect(pieces).toHaveLength(CONTENT_STATUSES.length * 6);
  const steps = { ...NONE };
  for (const piece of pieces) steps[stepOf(piece)] += 1;
  // Six statuses that are not live: a text with each of three outlines; else two blank outlines, or one.
  expect(steps).toEqual({ idea: 12, outline: 6, text: 18, live: 6 });
  expect(await stepsOf(caller, topicId)).toEqual(steps);
  const { body: topics } = await caller.get<TopicOut[]>(`/api/projects/${projectId}/topics`);
  expect(topics.map(({ id, contentCount, steps }) => ({ id, contentCount, steps }))).toEqual([
    { id: emptyTopicId, contentCount: 0, steps: NONE },
    { id: topicId, contentCount: pieces.length, steps },
  ]);
});

it.each(PIECE_STEPS)("lists and groups the pieces that a topic counts at the step %s", async (step) => {
  const { caller, topicId } = await newTopicOfAll();
  const filter = `topicId=${topicId}&step=${step}`;
  const expected = (await listed(caller, `topicId=${topicId}`)).filter((piece) => stepOf(piece) === step);
  expect(await listed(caller, filter)).toEqual(expected);
  const count = (await stepsOf(caller, topicId))[step];
  expect(await grouped(caller, filter)).toMatchObject([{ count, topics: [{ topicId, count }] }]);
  expect(expected).toHaveLength(count);
});

it("filters by topic and step together with search, project, status and pages", async () => {
  const workspace = await newTopicOfAll();
  const { caller, projectId, topicId } = workspace;
  const other = await newProject(workspace, "Other");
  await newPiece(workspace, { projectId: other, topicId: await newTopic(workspace, other, "Else") });
  const titles = async (filter: string) => (await listed(caller, filter)).map(({ title }) => title).sort();
  expect(await titles(`topicId=${topicId}&step=outline&search=review`)).toEqual(["review   ## Outline"]);
  expect(await titles(`step=outline&status=draft`)).toEqual(["draft   ## Outline"]);
  expect(await titles(`step=idea&projectId=${other}`)).toHaveLength(1);
  expect(await titles(`step=idea&projectId=${other}&topicId=${topicId}`)).toEqual([]);
  expect(await grouped(caller, `step=outline&topicId=${topicId}&search=review`)).toMatchObject([
    { projectId, count: 1 },
  ]);
  expect(await grouped(caller, `step=live&status=draft`)).toEqual([]);
  const page = await caller.get<ContentSummary[]>(`/api/content?topicId=${topicId}&step=text&limit=11`);
  const next = page.headers.get("link")?.match(/<(.+)>; rel="next"/)?.[1] ?? "";
  const rest = await caller.get<ContentSummary[]>(next);
  expect([page.body.length, rest.body.length, rest.headers.get("link")]).toEqual([11, 7, null]);
  expect(new Set([...page.body, ...rest.body].map(stepOf))).toEqual(new Set(["text"]));
});

it("finds nothing in another user's topic", async () => {
  const { topicId } = await newTopicOfAll();
  const { caller } = await newTopicOfAll();
  for (const step of ["", ...PIECE_STEPS.map((step) => `&step=${step}`)]) {
    expect(await listed(caller, `topicId=${topicId}${step}`)).toEqual([]);
    expect(await grouped(caller, `topicId=${topicId}${step}`)).toEqual([]);
  }
});

it("no longer counts or lists what is deleted", async () => {
  const workspace = await newWorkspace();
  const { caller, topicId } = workspace;
  const id = await newPiece(workspace, workspace, { body: "text" });
  await newPiece(workspace, workspace);
  expect(await stepsOf(caller, topicId)).toEqual({ ...NONE, idea: 1, text: 1 });
  await caller.delete(`/api/content/${id}`);
  expect(await stepsOf(caller, topicId)).toEqual({ ...NONE, idea: 1 });
  expect(await listed(caller, `topicId=${topicId}&step=text`)).toEqual([]);
  expect(await grouped(caller, `topicId=${topicId}&step=text`)).toEqual([]);
});

it("moves a piece to live with its post, and back to text once that is unpublished", async () => {
  const { caller, topicId, url, publish } = await workspaceWithPost(site);
  const stands = async (): Promise<[typeof NONE, PieceStep[]]> => {
    const found = await Promise.all(PIECE_STEPS.map((step) => listed(caller, `topicId=${topicId}&step=${step}`)));
    return [await stepsOf(caller, topicId), PIECE_STEPS.filter((_step, index) => found[index]?.length === 1)];
  };
  expect(await stands()).toEqual([{ ...NONE, text: 1 }, ["text"]]);
  await publish();
  expect(await stands()).toEqual([{ ...NONE, live: 1 }, ["live"]]);
  await caller.post(`${url}/unpublish`);
  expect(await stands()).toEqual([{ ...NONE, text: 1 }, ["text"]]);
});
