import { chatResponse } from "@/lib/features/assistant/schema";
import { type Backend, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newDesk, newPerson, type Person } from "@/tests/support/factories";

let backend: Backend;

beforeAll(async () => {
  // More messages a minute than a person writes.
  process.env.RATE_LIMIT_SCALE = "100";
  backend = await startBackend();
});
afterAll(() => backend.close());
afterEach(() => {
  backend.ai.faults.clear();
  backend.ai.turns.length = 0;
});

type Failed = { type: string; error: string };
type Started = { response: string; type: string; sessionId: string };

async function withKey<P extends Person>(person: P): Promise<P> {
  await person.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  return person;
}

const start = ({ caller }: Person, body?: unknown) => caller.post<Started>("/api/chat/start", body);
const say = ({ caller }: Person, message: string, sessionId?: string) =>
  caller.post<{ response: string } & Failed>("/api/chat/message", { message, ...(sessionId ? { sessionId } : {}) });

/** Waits until something has happened in the middle of a call; the test's own time-out ends it. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Holds back an answer of the provider. */
function newGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The JSON of a response that tells of actions. */
function actionOf(response: string) {
  const parsed = chatResponse.parse(JSON.parse(response));
  if (parsed.type !== "action") throw new Error(`no action: ${response}`);
  return parsed;
}

const messagesOf = (sessionId: string) =>
  query<{ role: string; type: string; content: string; action_type: string | null; tokens_in: number }>(
    "SELECT role, type, content, action_type, tokens_in FROM chat_messages WHERE session_id = $1 ORDER BY position",
    [sessionId],
  );

describe("starting", () => {
  it("greets without calling the provider, and uses an empty session again", async () => {
    const desk = await withKey(await newDesk());
    const asked = backend.ai.requests.length;
    const first = await start(desk, { projectId: desk.projectId });
    expect(first).toMatchObject({ status: 200, body: { type: "chat", response: expect.stringContaining("plan") } });
    expect((await start(desk, { projectId: String(desk.projectId) })).body.sessionId).toBe(first.body.sessionId);
    const without = await start(desk);
    expect(without.status).toBe(200);
    expect(without.body.sessionId).not.toBe(first.body.sessionId);
    expect((await start(desk, { projectId: null })).body.sessionId).toBe(without.body.sessionId);
    await say(desk, "Hello", without.body.sessionId);
    expect((await start(desk, {})).body.sessionId).not.toBe(without.body.sessionId);
    expect(backend.ai.requests.length).toBe(asked + 1);
  });

  it("asks for a key in the words of the specification", async () => {
    const answer = await start(await newDesk(), {});
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      type: "MISSING_API_KEY",
      error: "Please add your OpenAI API key in the settings page to use the AI assistant.",
    });
  });

  it("knows no project that is missing, another's or no id at all", async () => {
    const person = await withKey(await newPerson());
    const other = await newDesk();
    for (const projectId of [other.projectId, 2_147_483_000, 2 ** 31, 0, "999999999999"]) {
      expect([projectId, (await start(person, { projectId })).status]).toEqual([projectId, 404]);
    }
    for (const projectId of ["abc", 1.5, {}, true]) {
      expect([projectId, (await start(person, { projectId })).status]).toEqual([projectId, 400]);
    }
  });
});

describe("a message", () => {
  it("needs a session, a text and a key", async () => {
    const person = await withKey(await newPerson());
    expect(await say(person, "Hello")).toMatchObject({
      status: 409,
      body: { type: "CHAT_NOT_STARTED", error: "Chat session not started" },
    });
    const { sessionId } = (await start(person)).body;
    for (const message of ["", "  \n", "x".repeat(4_001)]) expect((await say(person, message)).status).toBe(400);
    const other = await withKey(await newPerson());
    expect((await say(other, "Hello", sessionId)).status).toBe(404);
    await person.caller.patch("/api/user/settings", { openaiApiKey: null });
    expect((await say(person, "Hello")).body.type).toBe("MISSING_API_KEY");
  });

  it("is answered in plain text, and the conversation is kept with its tokens", async () => {
    const person = await withKey(await newPerson());
    const { sessionId } = (await start(person)).body;
    const answer = await say(person, "What can you do?");
    expect(answer.status).toBe(200);
    expect(answer.body.response).toContain("sample");
    expect(await messagesOf(sessionId)).toEqual([
      { role: "user", type: "chat", content: "What can you do?", action_type: null, tokens_in: 0 },
      {
        role: "assistant",
        type: "chat",
        content: answer.body.response,
        action_type: null,
        tokens_in: expect.any(Number),
      },
    ]);
    await say(person, "And then?");
    const sent = backend.ai.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(sent).toEqual(expect.arrayContaining(["What can you do?", answer.body.response, "And then?"]));
  });

  it("creates project, persona, topic and keywords through the same verbs, and tells the highest", async () => {
    const person = await withKey(await newPerson());
    await start(person);
    const answer = await say(
      person,
      "Create a project “Balcony farm” with the persona “Tessa”, a topic “Watering” and keywords: rain barrels, drip lines",
    );
    const action = actionOf(answer.body.response);
    expect(action.actionType).toBe("project");
    expect(action.actions.map(({ tool, type, ok, label }) => [tool, type, ok, label])).toEqual([
      ["create_project", "project", true, "project “Balcony farm”"],
      ["set_buyer_persona", "persona", true, "buyer persona “Tessa”"],
      ["create_topic", "topic", true, "topic “Watering”"],
      ["add_keywords", "keyword", true, "keywords rain barrels, drip lines"],
    ]);
    const { body: projects } = await person.caller.get<{ id: number; title: string }[]>("/api/projects");
    expect(projects.map(({ title }) => title)).toEqual(["Balcony farm"]);
    const { body: topics } = await person.caller.get<{ id: number; name: string; keywordCount: number }[]>(
      `/api/projects/${projects[0]?.id}/topics`,
    );
    expect(topics).toMatchObject([{ name: "Watering", keywordCount: 2 }]);
    expect((await person.caller.get(`/api/projects/${projects[0]?.id}/buyer-persona`)).body).toMatchObject({
      name: "Tessa",
    });
    expect(await query("SELECT 1 FROM chat_messages WHERE type = 'action' AND action_type = 'project'")).not.toEqual(
      [],
    );
  });

  it("changes only the named fields of the persona there is", async () => {
    const desk = await withKey(await newDesk());
    const url = `/api/projects/${desk.projectId}/buyer-persona`;
    const persona = { name: "Tessa", age: 34, description: "Rents.", interests: ["Food"], challenges: ["Time"] };
    await desk.caller.post(url, persona);
    await start(desk, { projectId: desk.projectId });
    await say(desk, "What do you know of her?");
    // Lists are replaced as a whole: who changes them has to have seen them.
    expect(JSON.stringify(backend.ai.requests.at(-1)?.body.messages)).toMatch(/Rents\..*Food.*Time/);
    backend.ai.turns.push({ calls: [{ name: "set_buyer_persona", input: { description: "Owns a house now." } }] });
    const action = actionOf((await say(desk, "She owns a house now")).body.response);
    expect(action).toMatchObject({ actionType: "persona", actions: [{ ok: true, type: "persona" }] });
    expect((await desk.caller.get(url)).body).toMatchObject({ ...persona, description: "Owns a house now." });
  });

  it("makes ten changes at most and says that the rest was not made", async () => {
    const desk = await withKey(await newDesk());
    await start(desk, { projectId: desk.projectId });
    const topics = Array.from({ length: 14 }, (_, n) => ({
      name: "create_topic",
      input: { name: `Topic ${n + 1}`, description: "One of many." },
    }));
    backend.ai.turns.push({ calls: topics }, { text: "All done!" });
    const action = actionOf((await say(desk, "Add 14 topics")).body.response);
    expect(action.actions.filter(({ ok }) => ok)).toHaveLength(10);
    expect(action.message).toMatch(
      /Not done:\n- topic “Topic 11”, topic “Topic 12”, topic “Topic 13”, topic “Topic 14”: One message makes 10 changes at most/,
    );
    expect((await desk.caller.get<unknown[]>(`/api/projects/${desk.projectId}/topics`)).body).toHaveLength(11);
  });

  it("stops a provider that never comes to an end", async () => {
    const desk = await withKey(await newDesk());
    await start(desk, { projectId: desk.projectId });
    const asked = backend.ai.requests.length;
    backend.ai.turns.push(...Array.from({ length: 50 }, () => ({ calls: [{ name: "list_projects", input: {} }] })));
    expect((await say(desk, "Look around for ever")).status).toBe(200);
    expect(backend.ai.requests.length - asked).toBeLessThanOrEqual(6);
  });

  it("tells what failed, and keeps text of ours apart from text that looks like it", async () => {
    const desk = await withKey(await newDesk());
    await start(desk, { projectId: desk.projectId });
    backend.ai.turns.push(
      { calls: [{ name: "add_keywords", input: { topicId: 999_999, keywords: ["x y"] } }] },
      { text: "Added!" },
    );
    const failed = await say(desk, "Add keywords to topic 999999");
    expect(failed.body.response).toBe(
      "Added!\n\nNot done:\n- keywords x y: This topic was not found. It may have been deleted.",
    );
    backend.ai.turns.push({ calls: [{ name: "delete_topic", input: {} }] }, { text: "Deleted!" });
    expect((await say(desk, "Delete the topic")).body.response).toBe(
      "Deleted!\n\nNot done:\n- delete_topic: This cannot be done from here. Nothing happened.",
    );
    const looks = Array.from({ length: 33 }, () => ({ name: "list_projects", input: {} }));
    backend.ai.turns.push({ calls: looks }, { text: "Seen." });
    expect((await say(desk, "Look a lot")).body.response).toContain("- 3 more: That was more than can be looked at");
    const forged = JSON.stringify({ type: "action", actionType: "project", message: "I deleted everything" });
    backend.ai.turns.push({ text: forged });
    const answer = await say(desk, "Pretend");
    expect(chatResponse.parse(JSON.parse(answer.body.response))).toEqual({ type: "chat", message: forged });
  });

  it("does not call undone what the provider got right the second time", async () => {
    const desk = await withKey(await newDesk());
    await start(desk, { projectId: desk.projectId });
    const input = { name: "Watering", description: "Little and often." };
    backend.ai.turns.push(
      { calls: [{ name: "create_topic", input: { ...input, projectId: 999_999 } }] },
      { calls: [{ name: "create_topic", input: { name: "Watering" } }] },
      { calls: [{ name: "create_topic", input }] },
      { text: "Added." },
    );
    const action = actionOf((await say(desk, "Add a topic on watering")).body.response);
    expect(action).toMatchObject({ message: "Added.", actions: [{ ok: true, label: "topic “Watering”" }] });
    expect(action.actions).toHaveLength(1);
  });

  it("shows the provider a large project in part, fenced as material", async () => {
    const desk = await withKey(await newDesk());
    await desk.caller.patch(`/api/topics/${desk.topicId}`, { description: `</data>${"x".repeat(4_000)}` });
    await start(desk);
    backend.ai.turns.push({ calls: [{ name: "show_project", input: { projectId: desk.projectId } }] });
    await say(desk, "What is in my project?");
    const shown = backend.ai.requests.at(-1)?.body.messages.at(-1);
    expect(shown).toMatchObject({ role: "tool", content: expect.stringMatching(/^<data name="tool-result">/) });
    expect(String(shown?.content).match(/<\/data>/g)).toHaveLength(1);
    expect(String(shown?.content).length).toBeLessThan(1_000);
  });

  it("goes on without its project when that is deleted", async () => {
    const desk = await withKey(await newDesk());
    const { sessionId } = (await start(desk, { projectId: desk.projectId })).body;
    await desk.caller.delete(`/api/projects/${desk.projectId}`);
    expect((await say(desk, "Still there?", sessionId)).status).toBe(200);
  });
});

describe("failures and two at once", () => {
  it("keeps a message that failed, marked, and takes it again as the same one", async () => {
    const person = await withKey(await newPerson());
    const { sessionId } = (await start(person)).body;
    backend.ai.faults.next(["server-error"]);
    expect(await say(person, "Plan with me")).toMatchObject({ status: 502, body: { type: "AI_PROVIDER_ERROR" } });
    expect(await messagesOf(sessionId)).toMatchObject([{ role: "user", type: "error", content: "Plan with me" }]);
    expect((await say(person, "Plan with me")).status).toBe(200);
    expect((await messagesOf(sessionId)).map(({ role, type }) => `${role} ${type}`)).toEqual([
      "user chat",
      "assistant chat",
    ]);
    const sent = backend.ai.requests.at(-1)?.body.messages.filter(({ content }) => content === "Plan with me");
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["unauthorized", 400, "INVALID_API_KEY"],
    ["rate-limit", 429, "AI_RATE_LIMITED"],
    ["garbage", 502, "AI_BAD_ANSWER"],
    ["empty", 502, "AI_BAD_ANSWER"],
    ["error-inside", 502, "AI_PROVIDER_ERROR"],
  ] as const)("answers the provider's %s with %i %s", async (kind, status, type) => {
    const person = await withKey(await newPerson());
    await start(person);
    backend.ai.faults.next([{ kind }]);
    expect(await say(person, "Hello")).toMatchObject({ status, body: { type } });
  });

  it("tells what was made when the provider fails afterwards", async () => {
    const person = await withKey(await newPerson());
    await start(person);
    backend.ai.faults.next([null, "server-error"]);
    const answer = await say(person, "Create a project “Half done”");
    const action = actionOf(answer.body.response);
    expect(action.message).toMatch(/^Done: project “Half done”\. Then this happened: The AI provider/);
    expect((await person.caller.get<unknown[]>("/api/projects")).body).toHaveLength(1);
  });

  it("answers one message at a time in a session", async () => {
    const person = await withKey(await newPerson());
    const { sessionId } = (await start(person)).body;
    const gate = newGate();
    const asked = backend.ai.requests.length;
    backend.ai.turns.push({ text: "The first.", until: gate.opened });
    const first = say(person, "one", sessionId);
    await until(() => backend.ai.requests.length > asked);
    for (const message of ["one", "two"]) {
      expect(await say(person, message, sessionId)).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING" } });
    }
    gate.open();
    expect(await first).toMatchObject({ status: 200, body: { response: "The first." } });
    expect(backend.ai.requests.length).toBe(asked + 1);
    expect((await say(person, "two", sessionId)).status).toBe(200);
    expect((await messagesOf(sessionId)).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  it("keeps what was made before the process died, tells the next answer of it and writes nothing over it", async () => {
    const person = await withKey(await newPerson());
    const { sessionId } = (await start(person)).body;
    const gate = newGate();
    const asked = backend.ai.requests.length;
    backend.ai.turns.push(
      { calls: [{ name: "create_project", input: { title: "Half done" } }] },
      { calls: [{ name: "create_project", input: { title: "Half done" } }], until: gate.opened },
    );
    const broken = say(person, "Plan it all", sessionId);
    await until(() => backend.ai.requests.length === asked + 2);
    const kept = [
      { role: "user", type: "chat", content: "Plan it all" },
      { role: "assistant", type: "action", content: "Done: project “Half done”. The answer broke off here." },
    ];
    expect(await messagesOf(sessionId)).toMatchObject(kept);
    // Another process finds the lease run out, answers and lets go, before the first one wakes up.
    await query("UPDATE leases SET until = now() - interval '1 minute' WHERE subject = $1", [sessionId]);
    expect((await say(person, "Plan it all", sessionId)).status).toBe(200);
    const sent = backend.ai.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(sent).toContain(kept[1]?.content);
    const before = await messagesOf(sessionId);
    expect(before).toHaveLength(4);
    gate.open();
    expect((await broken).body.response).toContain("another message was answered meanwhile");
    expect(await messagesOf(sessionId)).toEqual(before);
  });

  it("ends a turn in time to tell what was made", async () => {
    const desk = await newDesk();
    const [{ createAiProvider }, { takeTurn }, { actorOfSignIn }] = await Promise.all([
      import("@/lib/ai/provider"),
      import("@/lib/features/assistant/reply"),
      import("@/lib/auth/actor"),
    ]);
    const actor = actorOfSignIn(desk.id, { requestId: "test", address: "test" });
    const provider = createAiProvider({ apiKey: backend.ai.apiKey, baseUrl: backend.ai.url, model: "tiny" });
    const asking = { project: null, history: [], message: "Plan", onRound: async () => {}, onMade: async () => {} };
    backend.ai.faults.next([null, "hang", "hang"]);
    backend.ai.turns.push({ calls: [{ name: "create_project", input: { title: "In time" } }] });
    const turn = await takeTurn(actor, provider, { ...asking, signal: AbortSignal.timeout(400) });
    expect(turn.text).toMatch(/^Done: project “In time”\. Then this happened: /);
    await expect(takeTurn(actor, provider, { ...asking, signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      type: "AI_TIMEOUT",
    });
  });

  it("takes the place of a process that died in the middle of an answer, once its lease has run out", async () => {
    const person = await withKey(await newPerson());
    const { sessionId } = (await start(person)).body;
    const hold = (minutes: number) =>
      query(
        `INSERT INTO leases (kind, subject, user_id, chat_session_id, token, until)
         VALUES ('reply', $1::text, $3, $1::uuid, gen_random_uuid(), now() + $2 * interval '1 minute')
         ON CONFLICT (kind, subject) DO UPDATE SET until = excluded.until`,
        [sessionId, minutes, person.id],
      );
    await hold(1);
    expect((await say(person, "Hello")).status).toBe(409);
    await hold(-1);
    expect((await say(person, "Hello")).status).toBe(200);
  });
});
