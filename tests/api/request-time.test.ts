import { env } from "@/lib/env";
import { sampleProvider, sectionsOf, textOf, workspaceWithKey } from "@/tests/support/generation-workspace";

// Vercel ends a function after five minutes. A text stops by itself before that, and the next press goes on.

const REQUEST_MS = 2_500;

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
jest.mock("@/lib/ai/times", () => {
  const { aiTimes } = jest.requireActual("@/lib/ai/times");
  return { aiTimes: () => ({ ...aiTimes(), requestMs: aiTimes().requestMs && REQUEST_MS }) };
});

const ai = sampleProvider();

beforeEach(() => {
  env.VERCEL = "1";
});
afterEach(() => {
  delete env.VERCEL;
});

const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.";
const LONG = "A sentence of a section that is long enough to count. ".repeat(30).trim();
const OTHER = "Another sentence of a section that is long enough. ".repeat(40).trim();

type Answer = { message: string; isComplete?: boolean; content: { body: string; isBeingWritten: boolean } };

async function ready() {
  const { caller, piece: newPiece } = await workspaceWithKey(ai);
  const piece = await newPiece({ outline: OUTLINE });
  const path = `/api/content/${piece}`;
  const write = () => caller.post<Answer>(`${path}/generate-from-outline`);
  return { caller, piece, path, write };
}

it("keeps the sections that are finished, says that the text is not complete, and goes on at the next press", async () => {
  const { piece, write } = await ready();
  ai.texts.push(LONG, { until: new Promise(() => {}) });
  const { status, body } = await write();
  expect([status, body.isComplete, body.message]).toEqual([
    200,
    false,
    "1 of 2 sections are written and kept. Press again to go on.",
  ]);
  expect(body.content).toMatchObject({ body: "", isBeingWritten: false });
  expect(await sectionsOf(piece)).toMatchObject([{ position: 0, heading: "Alpha", text: LONG }]);

  ai.texts.push(OTHER);
  const { body: next } = await write();
  expect(next).toMatchObject({ message: "Content generated successfully from outline" });
  expect(next.isComplete).toBe(true);
  expect(next.content.body).toBe(`## Alpha\n\n${LONG}\n\n## Beta\n\n${OTHER}`);
  expect(ai.requests).toHaveLength(3);
});

it("keeps the section under way as unfinished, and goes on from its words", async () => {
  const { caller, piece, path } = await ready();
  // Each answer takes ten seconds.
  await caller.patch("/api/user/settings", { openaiApiKey: `${ai.apiKey}-10000` });
  ai.texts.push(LONG);
  const { text } = await caller.call("POST", `${path}/generate-from-outline`, {}, { accept: "text/event-stream" });
  expect(text).toContain('"message":"What was written is kept. Press again to go on.","isComplete":false');
  const { body } = await caller.get<{ unfinished: { text: string; goesOn: string } }>(`${path}/unfinished`);
  expect(body.unfinished).toMatchObject({ heading: "Alpha", isShown: false, goesOn: "all" });
  expect(LONG.startsWith(body.unfinished.text)).toBe(true);
  expect(await textOf(piece)).toMatchObject({ body: "" });

  await caller.patch("/api/user/settings", { openaiApiKey: ai.apiKey });
  ai.texts.push(OTHER, LONG);
  await caller.post(`${path}/generate-from-outline`);
  expect(await textOf(piece)).toMatchObject({
    body: `## Alpha\n\n${body.unfinished.text} ${OTHER}\n\n## Beta\n\n${LONG}`,
  });
});

it("stops nothing where no function ends", async () => {
  delete env.VERCEL;
  const { write } = await ready();
  ai.texts.push({ until: new Promise((resolve) => setTimeout(resolve, REQUEST_MS + 300)) });
  const { body } = await write();
  expect(body.message).toBe("Content generated successfully from outline");
});

it("is a stop, not the end of the time, once the user has asked for one", async () => {
  const { caller, path, write } = await ready();
  ai.texts.push(LONG, { until: new Promise(() => {}) });
  const answer = write();
  while (ai.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await caller.post(`${path}/stop-writing`);
  const { body } = await answer;
  expect(body.message).toBe("Stopped. What was written until then is kept.");
  expect(body.content.body).toBe(`## Alpha\n\n${LONG}`);
});
