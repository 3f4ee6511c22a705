import { MAX_HITS, rankOf } from "@/lib/features/search/rules";
import type { SearchHits } from "@/lib/features/search/schema";
import { deleteEverything, query } from "@/tests/support/db";
import { newPiece, newProject, newTopic, newUser, newWorkspace, type User } from "@/tests/support/factories";

afterAll(deleteEverything);

async function search(user: Pick<User, "caller">, text = ""): Promise<SearchHits> {
  const { status, body } = await user.caller.get<SearchHits>(`/api/search?${new URLSearchParams({ text })}`);
  expect(status).toBe(200);
  return body;
}

const titles = (hits: { title: string }[]) => hits.map(({ title }) => title);

it("finds the user's projects, topics and pieces by title, and projects by description too", async () => {
  const user = await newWorkspace({ project: "Frost dates", topic: "Frost and fleece" });
  const id = await newPiece(user, user, { title: "After the first frost", body: "Dig." });
  await newPiece(user, user, { title: "Tools", body: "Frost is only in the text." });
  await query("INSERT INTO projects (user_id, title, description) VALUES ($1, 'Winter', 'Snow and FROST')", [user.id]);
  const stranger = await newWorkspace({ project: "Frost elsewhere", topic: "Frost" });
  await newPiece(stranger, stranger, { title: "Frost" });
  const hits = await search(user, "fRoSt");
  expect(titles(hits.projects)).toEqual(["Frost dates", "Winter"]);
  expect(hits.topics).toEqual([
    { id: user.topicId, name: "Frost and fleece", projectId: user.projectId, projectTitle: "Frost dates" },
  ]);
  expect(hits.pieces).toEqual([{ id, title: "After the first frost" }]);
});

it("answers with the newest of each kind without a text, and with nothing to a user who has nothing", async () => {
  const user = await newWorkspace({ project: "First" });
  await newTopic(user, await newProject(user, "Second"), "Newest topic");
  for (let n = 0; n <= MAX_HITS; n++) await newPiece(user, user, { title: `Piece ${n}` });
  const hits = await search(user);
  expect(titles(hits.projects)).toEqual(["Second", "First"]);
  expect(hits.topics.map(({ name }) => name)).toEqual(["Newest topic", "Seed starting indoors"]);
  expect(titles(hits.pieces)).toEqual(["Piece 6", "Piece 5", "Piece 4", "Piece 3", "Piece 2", "Piece 1"]);
  expect(await search(await newUser(), "a")).toEqual({ projects: [], topics: [], pieces: [] });
});

describe("the best titles come first, as the browser ranks them", () => {
  const TITLES = [
    "Ton",
    "On (ton) of compost",
    "Cotton",
    "A well-ton",
    "“Ton”: a word",
    "Tonnes of straw",
    "Buttons, buttons",
    "TON",
    "Été à Ton",
    "a\u00A0ton",
  ];
  let user: Awaited<ReturnType<typeof newWorkspace>>;
  beforeAll(async () => {
    user = await newWorkspace();
    for (const title of TITLES) await newPiece(user, user, { title });
  });

  it.each(["ton", "Ton", "on", "é", "-ton", "n (t", "ÉTÉ"])("for %p", async (text) => {
    const expected = TITLES.toReversed()
      .filter((title) => rankOf(title, text) !== undefined)
      .sort((a, b) => Number(rankOf(a, text)) - Number(rankOf(b, text)));
    expect(titles((await search(user, text)).pieces)).toEqual(expected.slice(0, MAX_HITS));
  });
});
