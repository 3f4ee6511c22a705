import { storageUsage } from "@/lib/limits/storage-quota";
import { newWorkspace } from "@/tests/support/factories";
import { sampleProvider, workspaceWithKey } from "@/tests/support/generation-workspace";

// How a project's texts are written: kept, checked, and handed to the AI.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));

const ai = sampleProvider();
const NONE = { tone: null, language: null, words: null, instructions: null };
const STYLE = { tone: "dry", language: "British English", words: 900, instructions: "No jokes." };

type Project = { writing: typeof STYLE; title: string; type?: string; fields?: Record<string, string[]> };

async function ready() {
  const workspace = await newWorkspace();
  const path = `/api/projects/${workspace.projectId}`;
  const save = (writing: object) => workspace.caller.patch<Project>(path, { writing });
  const stored = async () => (await workspace.caller.get<Project>(path)).body;
  return { workspace, path, save, stored };
}

it("is nothing at first, is kept, and can be taken back", async () => {
  const { save, stored } = await ready();
  expect((await stored()).writing).toEqual(NONE);
  expect(await save(STYLE)).toMatchObject({ status: 200, body: { writing: STYLE } });
  expect((await stored()).writing).toEqual(STYLE);
  expect((await save({ tone: " ", language: "", words: null, instructions: "" })).body.writing).toEqual(NONE);
});

it("stays when something else of the project is changed", async () => {
  const { workspace, path, save, stored } = await ready();
  await save(STYLE);
  await workspace.caller.patch(path, { title: "Another title" });
  expect(await stored()).toMatchObject({ title: "Another title", writing: STYLE });
});

it.each([
  ["too few words", { words: 299 }],
  ["too many words", { words: 6001 }],
  ["half a word", { words: 900.5 }],
  ["a long tone", { tone: "x".repeat(101) }],
  ["long instructions", { instructions: "x".repeat(2001) }],
])("refuses %s", async (_what, part) => {
  const { save, stored } = await ready();
  const answer = await save({ ...STYLE, ...part });
  expect(answer).toMatchObject({ status: 400, body: { type: "VALIDATION_ERROR" } });
  expect(Object.keys(answer.body.fields ?? {})).toEqual(["writing"]);
  expect((await stored()).writing).toEqual(NONE);
});

it("is its owner's", async () => {
  const { path } = await ready();
  const other = await newWorkspace();
  expect((await other.caller.patch(path, { writing: STYLE })).status).toBe(404);
});

it("takes room in the account, and gives it back", async () => {
  const { workspace, save } = await ready();
  const used = async () => (await storageUsage(workspace.id)).usedBytes;
  const before = await used();
  await save(STYLE);
  expect((await used()) - before).toBe("dryBritish EnglishNo jokes.".length);
  await save(NONE);
  expect(await used()).toBe(before);
});

it("reaches the AI with outlines, texts and rewrites", async () => {
  const workspace = await workspaceWithKey(ai);
  await workspace.caller.patch(`/api/projects/${workspace.projectId}`, { writing: STYLE });
  const piece = await workspace.piece({ outline: "## Alpha\nFirst.\n\n## Beta\nSecond." });
  await workspace.plan(await workspace.piece());
  await workspace.write(piece);
  await workspace.caller.post(`/api/content/${piece}/rewrite`, {
    action: "translate",
    selection: "A.",
    instruction: "German",
  });
  const rules = ai.requests.map(({ body }) => String(body.messages[0]?.content));
  expect(rules).toHaveLength(4);
  for (const each of rules) expect(each).toContain("The author asks of every text: No jokes");
  for (const each of rules.slice(0, 3)) expect(each).toContain("Write in British English");
  // A translation has the language it is asked for, and no tone of its own.
  expect(rules[3]).not.toContain("British English");
  expect(rules[3]).not.toContain("Tone:");
  const budgets = ai.requests
    .slice(1, 3)
    .map(({ body }) => /"words": (\d+)/.exec(String(body.messages.at(-1)?.content))?.[1]);
  expect(budgets.map(Number).reduce((sum, words) => sum + words, 0)).toBe(900);
});

it("gives way to what is asked for one text alone, and no further", async () => {
  const workspace = await workspaceWithKey(ai);
  await workspace.caller.patch(`/api/projects/${workspace.projectId}`, { writing: STYLE });
  const piece = await workspace.piece({ outline: "## Alpha\nFirst." });
  const path = `/api/content/${piece}/generate-from-outline`;
  const style = { tone: "warm", words: 500, language: "", instructions: null };
  expect((await workspace.caller.post(path, { style })).status).toBe(200);
  const [first] = ai.requests.map(({ body }) => body.messages.map(({ content }) => String(content)).join("\n"));
  expect(first).toContain("Tone: warm");
  expect(first).toContain("Write in British English");
  expect(first).toContain("No jokes");
  expect(first).toContain('"words": 500');
  ai.requests.length = 0;
  await workspace.plan(await workspace.piece());
  expect(String(ai.requests[0]?.body.messages[0]?.content)).toContain("Tone: dry");
  expect((await workspace.caller.post(path, { style: { words: 1 } })).status).toBe(400);
});
