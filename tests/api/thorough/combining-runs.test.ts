import { createCaller } from "@/tests/support/app";
import { type Backend, startBackend } from "@/tests/support/backend";
import { newUser, PASSWORD } from "@/tests/support/factories";
import { bodyOf, buildRequest, specOf, writeNames } from "@/tests/support/operations";
import { textFields } from "@/tests/support/text-fields";
import { newWorld } from "@/tests/support/world";

// How long the refusals take, and what they cost everybody else, is measured in hostile-texts.test.ts.

const MEGABYTE = 1_048_576;

/** Each mark is two bytes. Normalising sorts every pair, which is quadratic if runs are not bounded. */
const PAIR = "\u0300\u0316";
const runOf = (bytes: number) => `a${PAIR.repeat(Math.floor((bytes - 1) / 4))}`;
/** Decomposed it is three times as long. */
const SYLLABLE = "각";
const decomposed = (syllables: number) => SYLLABLE.repeat(syllables).normalize("NFD");

let backend: Backend;

beforeAll(async () => {
  // Rate limits would answer before the schemas.
  process.env.RATE_LIMIT_SCALE = "1000000";
  backend = await startBackend();
});
afterAll(() => backend.close());

describe("a long run of marks in an address", () => {
  const run = encodeURIComponent(runOf(5_000));

  it.each(["/api/content", "/api/content/groups"])("is refused as a search of %s", async (path) => {
    const { caller } = await newUser();
    expect((await caller.get(`${path}?search=${run}`)).status).toBe(400);
  });

  it("is no id", async () => {
    const { caller } = await newUser();
    expect((await caller.get(`/api/projects/${run}`)).status).toBe(404);
  });
});

describe("text that some keyboards write decomposed", () => {
  /** Compared as sent, without normalising. */
  const AS_THEY_CAME = new Set(["password", "currentPassword", "confirm", "token", "firebaseUid"]);

  it.each(writeNames)("is accepted at the maximum length of each text field of %s", async (name) => {
    const spec = await specOf(name);
    const world = await newWorld();
    const well = await bodyOf(name, world);
    for (const { name: field, isList, max } of textFields(spec.body)) {
      if (max === undefined || AS_THEY_CAME.has(field)) continue;
      const text = decomposed(Math.min(max, Math.floor((spec.maxBody ?? MEGABYTE) / 10)));
      const { method, url } = await buildRequest(name, world);
      const body = { ...well, [field]: isList ? [text] : text };
      const answer = await world.caller.call<{ fields?: Record<string, string[]> }>(method, url, body);
      const said = Object.values(answer.body?.fields ?? {}).flat();
      expect([field, said.filter((sentence) => /at most|in a row/.test(sentence))]).toEqual([field, []]);
    }
  });

  it("is stored composed at the maximum length, and refused with one syllable more", async () => {
    const user = await newUser();
    const title = decomposed(200);
    const made = await user.caller.post<{ title: string }>("/api/projects", { title });
    expect([made.status, made.body.title]).toEqual([201, SYLLABLE.repeat(200)]);
    const longer = await user.caller.post<{ error: string }>("/api/projects", { title: title + SYLLABLE });
    expect([longer.status, longer.body.error]).toEqual([400, "Title: use at most 200 characters."]);
  });
});

describe("a run of combining marks", () => {
  it("may have 30 marks and no more, and the response says so", async () => {
    const user = await newUser();
    const titled = (marks: number) => ({ title: `a${"\u0316".repeat(marks)}` });
    expect((await user.caller.post("/api/projects", titled(30))).status).toBe(201);
    const refused = await user.caller.post<{ error: string; fields: object }>("/api/projects", titled(31));
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/^Title .*30.*\./);
  });

  it("is not checked when the text is too long anyway", async () => {
    const call = await createCaller().post<{ error: string }>("/api/login", {
      username: runOf(30_000),
      password: PASSWORD,
    });
    expect([call.status, call.body.error]).toEqual([400, "Username: use at most 254 characters."]);
  });

  it("is cut in a provider's text, not refused", async () => {
    const user = await newUser();
    await user.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    await user.caller.post("/api/chat/start", {});
    const run = (marks: number) => `Herbs${"\u0316".repeat(marks)}`;
    backend.ai.turns.push(
      { calls: [{ name: "create_project", input: { title: run(9_000), description: run(9_000) } }] },
      { text: `Done: ${run(9_000)}` },
    );
    const answer = await user.caller.post<{ response: string }>("/api/chat/message", { message: "A project" });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.response).message).toContain(`Done: ${run(30)}`);
    expect(answer.body.response).not.toMatch(/\p{M}{31}/u);
    const { body } = await user.caller.get<object[]>("/api/projects");
    expect(body).toMatchObject([{ title: run(30), description: run(30) }]);
  });
});
