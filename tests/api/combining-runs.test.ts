import { setTimeout as wait } from "node:timers/promises";
import type { RouteSpec } from "@/lib/transport/route";
import { NOT_POSTED } from "@/lib/utils/posted-form";
import { callAction, formOf } from "@/tests/support/action-request";
import { createCaller } from "@/tests/support/app";
import { type Backend, startBackend } from "@/tests/support/backend";
import { doors, requestOf, walkOperations } from "@/tests/support/doors";
import { newPerson, PASSWORD, type Person } from "@/tests/support/factories";
import { type TextField, textFields } from "@/tests/support/text-fields";
import { newWorld } from "@/tests/support/world";

jest.mock("next/headers", () => jest.requireActual("@/tests/support/action-request").nextHeaders);

/** Wrong versions took 70 s, and everybody else waited as long; the figures of a quiet machine are in hostile-texts.test.ts. */
const ANSWERED_MS = 5_000;
const MEANWHILE_MS = 1_500;
const BODY_BYTES = 1_048_576;

/** Each mark is two bytes, and normalising puts each pair in order: quadratic where the run is not bounded. */
const PAIR = "\u0300\u0316";
const runOf = (bytes: number) => `a${PAIR.repeat(Math.floor((bytes - 1) / 4))}`;
/** The longest runs that are let through, over and over. */
const manyRuns = (bytes: number) => `a${PAIR.repeat(15)}`.repeat(Math.floor(bytes / 61));
/** Decomposed it is three times as long. */
const SYLLABLE = "각";
const decomposed = (syllables: number) => SYLLABLE.repeat(syllables).normalize("NFD");

let backend: Backend;
let forms: typeof import("@/lib/features/account/actions");
let other: Person;
const worst = { ms: 0, at: "", meanwhile: 0, meanwhileAt: "" };

beforeAll(async () => {
  // The limits would answer in the schemas' place.
  process.env.RATE_LIMIT_SCALE = "1000000";
  backend = await startBackend();
  // Loaded now: modules read their environment once.
  forms = await import("@/lib/features/account/actions");
  other = await newPerson();
  // The first call of a route loads its module.
  await Promise.all([other.caller.get("/api/health"), other.caller.get("/api/projects")]);
});
afterAll(async () => {
  await backend.close();
  process.stdout.write(
    `Runs of combining marks: slowest answer ${worst.ms.toFixed(0)} ms (${worst.at}), everybody else ${worst.meanwhile.toFixed(0)} ms (${worst.meanwhileAt})\n`,
  );
});

/** Does the work while a visitor asks for the health and another person for their projects, over and over. */
async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number; meanwhile: number }> {
  let meanwhile = 0;
  let isOver = false;
  async function keepAsking(url: string) {
    while (!isOver) {
      const asked = performance.now();
      const { status } = await other.caller.get(url);
      meanwhile = Math.max(meanwhile, performance.now() - asked);
      expect(status).toBe(200);
      await wait(1);
    }
  }
  const asking = [keepAsking("/api/health"), keepAsking("/api/projects")];
  await wait(5);
  const started = performance.now();
  const answer = await work();
  const ms = performance.now() - started;
  isOver = true;
  await Promise.all(asking);
  return { answer, ms, meanwhile };
}

function expectCalm(what: string, { ms, meanwhile }: { ms: number; meanwhile: number }): void {
  if (ms > worst.ms) Object.assign(worst, { ms, at: what });
  if (meanwhile > worst.meanwhile) Object.assign(worst, { meanwhile, meanwhileAt: what });
  expect([what, ms < ANSWERED_MS ? "in time" : ms]).toEqual([what, "in time"]);
  expect([what, meanwhile < MEANWHILE_MS ? "in time" : meanwhile]).toEqual([what, "in time"]);
}

async function specOf(name: string): Promise<RouteSpec> {
  const found = (await walkOperations()).find((one) => one.name === name);
  if (!found) throw new Error(`${name} is gone`);
  return found.spec;
}

/** One call with a text in a field, made before the clock starts. */
async function send(name: string, { name: field, isList }: TextField, value: (bytes: number) => string) {
  const spec = await specOf(name);
  const world = await newWorld();
  const well = doors[name]?.body?.(world) as object | undefined;
  const rest = Buffer.byteLength(JSON.stringify({ ...well, [field]: isList ? [""] : "" }));
  const text = value((spec.maxBody ?? BODY_BYTES) - rest);
  const body = JSON.stringify({ ...well, [field]: isList ? [text] : text });
  const { method, url } = requestOf(name, world);
  // Once for nothing: the route's module is loaded by it.
  await world.caller.respond(method, url, "{}");
  return timed(() => world.caller.call<{ fields?: Record<string, string[]>; type?: string }>(method, url, body));
}

const WITH_BODY = Object.keys(doors).filter((name) => doors[name]?.body);

describe("a megabyte of combining marks", () => {
  it.each(WITH_BODY)(
    "is refused at once in each text field of %s",
    async (name) => {
      for (const field of textFields((await specOf(name)).body)) {
        for (const text of [runOf, manyRuns]) {
          const call = await send(name, field, text);
          expectCalm(`${name} ${field.name}`, call);
          expect([name, field.name, call.answer.status]).toEqual([name, field.name, expect.any(Number)]);
          expect(call.answer.status).toBeLessThan(500);
        }
      }
    },
    120_000,
  );

  it("is refused at once as a search, as long as an address can be", async () => {
    const search = encodeURIComponent(runOf(5_000));
    for (const path of ["/api/content", "/api/content/groups"]) {
      const call = await timed(() => other.caller.get(`${path}?search=${search}`));
      expectCalm(path, call);
      expect(call.answer.status).toBe(400);
    }
  });

  it("is refused at once in a part of an address", async () => {
    const call = await timed(() => other.caller.get(`/api/projects/${encodeURIComponent(runOf(5_000))}`));
    expectCalm("GET /api/projects/[id]", call);
    expect(call.answer.status).toBe(404);
  });

  it.each([
    ["signInForm", ["username", "password"]],
    ["registerForm", ["username", "email", "password"]],
    ["requestResetForm", ["email"]],
  ] as const)("is refused at once in each field of the posted %s", async (name, fields) => {
    for (const field of fields) {
      const good = { username: "somebody.new", email: "somebody@example.com", password: PASSWORD };
      const form = formOf({ ...good, [field]: runOf(BODY_BYTES) });
      const call = await timed(() => callAction(() => forms[name](NOT_POSTED, form), { address: "10.81.0.1" }));
      expectCalm(`${name} ${field}`, call);
      expect(call.answer.answer.failure).toMatchObject({ type: "VALIDATION_ERROR" });
    }
  });
});

describe("text that other keyboards write decomposed", () => {
  /** Compared as they came, character by character. */
  const AS_THEY_CAME = new Set(["password", "currentPassword", "confirm", "token", "firebaseUid"]);

  it.each(WITH_BODY)(
    "is taken at the bound of each text field of %s",
    async (name) => {
      for (const field of textFields((await specOf(name)).body)) {
        const { max } = field;
        if (max === undefined || AS_THEY_CAME.has(field.name)) continue;
        const { answer } = await send(name, field, (bytes) => decomposed(Math.min(max, Math.floor(bytes / 9))));
        const said = Object.values(answer.body?.fields ?? {}).flat();
        expect([name, field.name, said.filter((sentence) => /at most|in a row/.test(sentence))]).toEqual([
          name,
          field.name,
          [],
        ]);
      }
    },
    120_000,
  );

  it("is stored composed, as long as it may be, and refused with one syllable more", async () => {
    const person = await newPerson();
    const title = decomposed(200);
    const made = await person.caller.post<{ title: string }>("/api/projects", { title });
    expect([made.status, made.body.title]).toEqual([201, SYLLABLE.repeat(200)]);
    const longer = await person.caller.post<{ error: string }>("/api/projects", { title: title + SYLLABLE });
    expect([longer.status, longer.body.error]).toEqual([400, "Title: use at most 200 characters."]);
  });
});

describe("a run of marks", () => {
  it("may have 30 and no more, and the answer says so", async () => {
    const person = await newPerson();
    const titled = (marks: number) => ({ title: `a${"\u0316".repeat(marks)}` });
    expect((await person.caller.post("/api/projects", titled(30))).status).toBe(201);
    const refused = await person.caller.post<{ error: string; fields: object }>("/api/projects", titled(31));
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/^Title .*30.*\./);
  });

  it("is not looked at where the text is too long already", async () => {
    const call = await createCaller().post<{ error: string }>("/api/login", {
      username: runOf(BODY_BYTES - 100),
      password: PASSWORD,
    });
    expect([call.status, call.body.error]).toEqual([400, "Username: use at most 254 characters."]);
  });

  it("is cut in what a provider sent, never refused", async () => {
    const person = await newPerson();
    await person.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
    await person.caller.post("/api/chat/start", {});
    const run = (marks: number) => `Herbs${"\u0316".repeat(marks)}`;
    backend.ai.turns.push(
      { calls: [{ name: "create_project", input: { title: run(9_000), description: run(9_000) } }] },
      { text: `Done: ${run(9_000)}` },
    );
    const answer = await person.caller.post<{ response: string }>("/api/chat/message", { message: "A project" });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.response).message).toContain(`Done: ${run(30)}`);
    expect(answer.body.response).not.toMatch(/\p{M}{31}/u);
    const { body } = await person.caller.get<object[]>("/api/projects");
    expect(body).toMatchObject([{ title: run(30), description: run(30) }]);
  });
});
