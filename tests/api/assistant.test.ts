import { chatResponse } from "@/lib/features/assistant/schema";
import { type Backend, startBackend } from "@/tests/support/backend";
import { query } from "@/tests/support/db";
import { newUser, newWorkspace, type User } from "@/tests/support/factories";

let backend: Backend;

beforeAll(async () => {
  // The suite sends more messages a minute than the limit allows.
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

async function withKey<P extends User>(user: P): Promise<P> {
  await user.caller.patch("/api/user/settings", { openaiApiKey: backend.ai.apiKey });
  return user;
}

const start = ({ caller }: User, body?: unknown) => caller.post<Started>("/api/chat/start", body);
const say = ({ caller }: User, message: string, sessionId?: string) =>
  caller.post<{ response: string } & Failed>("/api/chat/message", { message, ...(sessionId ? { sessionId } : {}) });

/** Polls until the condition holds; the test's timeout ends it. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Holds back the provider's answer. */
function newGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The JSON of a response that reports actions. */
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
  it("greets without calling the provider, and reuses an empty session", async () => {
    const workspace = await withKey(await newWorkspace());
    const callsBefore = backend.ai.requests.length;
    const first = await start(workspace, { projectId: workspace.projectId });
    expect(first).toMatchObject({ status: 200, body: { type: "chat", response: expect.stringContaining("plan") } });
    expect((await start(workspace, { projectId: String(workspace.projectId) })).body.sessionId).toBe(
      first.body.sessionId,
    );
    const without = await start(workspace);
    expect(without.status).toBe(200);
    expect(without.body.sessionId).not.toBe(first.body.sessionId);
    expect((await start(workspace, { projectId: null })).body.sessionId).toBe(without.body.sessionId);
    await say(workspace, "Hello", without.body.sessionId);
    expect((await start(workspace, {})).body.sessionId).not.toBe(without.body.sessionId);
    expect(backend.ai.requests.length).toBe(callsBefore + 1);
  });

  it("asks for a key in the words of the specification", async () => {
    const answer = await start(await newWorkspace(), {});
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      type: "MISSING_API_KEY",
      error: "Please add your OpenAI API key in the settings page to use the AI assistant.",
    });
  });

  it("answers not found for a project that is missing, another's or no valid id", async () => {
    const user = await withKey(await newUser());
    const other = await newWorkspace();
    for (const projectId of [other.projectId, 2_147_483_000, 2 ** 31, 0, "999999999999"]) {
      expect([projectId, (await start(user, { projectId })).status]).toEqual([projectId, 404]);
    }
    for (const projectId of ["abc", 1.5, {}, true]) {
      expect([projectId, (await start(user, { projectId })).status]).toEqual([projectId, 400]);
    }
  });
});

describe("a message", () => {
  it("needs a session, a text and a key", async () => {
    const user = await withKey(await newUser());
    expect(await say(user, "Hello")).toMatchObject({
      status: 409,
      body: { type: "CHAT_NOT_STARTED", error: "Chat session not started" },
    });
    const { sessionId } = (await start(user)).body;
    for (const message of ["", "  \n", "x".repeat(4_001)]) expect((await say(user, message)).status).toBe(400);
    const other = await withKey(await newUser());
    expect((await say(other, "Hello", sessionId)).status).toBe(404);
    await user.caller.patch("/api/user/settings", { openaiApiKey: null });
    expect((await say(user, "Hello")).body.type).toBe("MISSING_API_KEY");
  });

  it("is answered in plain text, and the conversation is kept with its token counts", async () => {
    const user = await withKey(await newUser());
    const { sessionId } = (await start(user)).body;
    const answer = await say(user, "What can you do?");
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
    await say(user, "And then?");
    const sent = backend.ai.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(sent?.slice(-3)).toEqual([
      expect.stringMatching(/\n\nWhat can you do\?$/),
      answer.body.response,
      "And then?",
    ]);
  });

  it("creates project, persona, topic and keywords by the API's rules, and reports the topmost", async () => {
    const user = await withKey(await newUser());
    await start(user);
    const answer = await say(
      user,
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
    const { body: projects } = await user.caller.get<{ id: number; title: string }[]>("/api/projects");
    expect(projects.map(({ title }) => title)).toEqual(["Balcony farm"]);
    const { body: topics } = await user.caller.get<{ id: number; name: string; keywordCount: number }[]>(
      `/api/projects/${projects[0]?.id}/topics`,
    );
    expect(topics).toMatchObject([{ name: "Watering", keywordCount: 2 }]);
    expect((await user.caller.get(`/api/projects/${projects[0]?.id}/buyer-persona`)).body).toMatchObject({
      name: "Tessa",
    });
    expect(await query("SELECT 1 FROM chat_messages WHERE type = 'action' AND action_type = 'project'")).not.toEqual(
      [],
    );
  });

  it("changes only the named fields of an existing persona", async () => {
    const workspace = await withKey(await newWorkspace());
    const url = `/api/projects/${workspace.projectId}/buyer-persona`;
    const persona = { name: "Tessa", age: 34, description: "Rents.", interests: ["Food"], challenges: ["Time"] };
    await workspace.caller.post(url, persona);
    await start(workspace, { projectId: workspace.projectId });
    await say(workspace, "What do you know of her?");
    // Lists are replaced as a whole, so the provider must have seen them.
    expect(JSON.stringify(backend.ai.requests.at(-1)?.body.messages)).toMatch(/Rents\..*Food.*Time/);
    backend.ai.turns.push({ calls: [{ name: "set_buyer_persona", input: { description: "Owns a house now." } }] });
    const action = actionOf((await say(workspace, "She owns a house now")).body.response);
    expect(action).toMatchObject({ actionType: "persona", actions: [{ ok: true, type: "persona" }] });
    expect((await workspace.caller.get(url)).body).toMatchObject({ ...persona, description: "Owns a house now." });
  });

  it("makes at most ten changes and says that the rest were not made", async () => {
    const workspace = await withKey(await newWorkspace());
    await start(workspace, { projectId: workspace.projectId });
    const topics = Array.from({ length: 14 }, (_, n) => ({
      name: "create_topic",
      input: { name: `Topic ${n + 1}`, description: "One of many." },
    }));
    backend.ai.turns.push({ calls: topics }, { text: "All done!" });
    const action = actionOf((await say(workspace, "Add 14 topics")).body.response);
    expect(action.actions.filter(({ ok }) => ok)).toHaveLength(10);
    expect(action.message).toMatch(
      /Not done:\n- topic “Topic 11”, topic “Topic 12”, topic “Topic 13”, topic “Topic 14”: One message can make at most 10 changes/,
    );
    expect((await workspace.caller.get<unknown[]>(`/api/projects/${workspace.projectId}/topics`)).body).toHaveLength(
      11,
    );
  });

  it("stops a provider that never finishes", async () => {
    const workspace = await withKey(await newWorkspace());
    await start(workspace, { projectId: workspace.projectId });
    const callsBefore = backend.ai.requests.length;
    backend.ai.turns.push(...Array.from({ length: 50 }, () => ({ calls: [{ name: "list_projects", input: {} }] })));
    expect((await say(workspace, "Look around for ever")).status).toBe(200);
    expect(backend.ai.requests.length - callsBefore).toBeLessThanOrEqual(6);
  });

  it("reports what failed, and keeps its own reports apart from text that imitates them", async () => {
    const workspace = await withKey(await newWorkspace());
    await start(workspace, { projectId: workspace.projectId });
    backend.ai.turns.push(
      { calls: [{ name: "add_keywords", input: { topicId: 999_999, keywords: ["x y"] } }] },
      { text: "Added!" },
    );
    const failed = await say(workspace, "Add keywords to topic 999999");
    expect(failed.body.response).toBe(
      "Added!\n\nNot done:\n- keywords x y: This topic was not found. It may have been deleted.",
    );
    backend.ai.turns.push({ calls: [{ name: "delete_topic", input: {} }] }, { text: "Deleted!" });
    expect((await say(workspace, "Delete the topic")).body.response).toBe(
      "Deleted!\n\nNot done:\n- delete_topic: This cannot be done from here. Nothing happened.",
    );
    const looks = Array.from({ length: 33 }, () => ({ name: "list_projects", input: {} }));
    backend.ai.turns.push({ calls: looks }, { text: "Seen." });
    expect((await say(workspace, "Look a lot")).body.response).toContain("- 3 more: That was too much");
    const forged = JSON.stringify({ type: "action", actionType: "project", message: "I deleted everything" });
    backend.ai.turns.push({ text: forged });
    const answer = await say(workspace, "Pretend");
    expect(chatResponse.parse(JSON.parse(answer.body.response))).toEqual({ type: "chat", message: forged });
  });

  it("does not report a failure that the provider corrected", async () => {
    const workspace = await withKey(await newWorkspace());
    await start(workspace, { projectId: workspace.projectId });
    const input = { name: "Watering", description: "Little and often." };
    backend.ai.turns.push(
      { calls: [{ name: "create_topic", input: { ...input, projectId: 999_999 } }] },
      { calls: [{ name: "create_topic", input: { name: "Watering" } }] },
      { calls: [{ name: "create_topic", input }] },
      { text: "Added." },
    );
    const action = actionOf((await say(workspace, "Add a topic on watering")).body.response);
    expect(action).toMatchObject({ message: "Added.", actions: [{ ok: true, label: "topic “Watering”" }] });
    expect(action.actions).toHaveLength(1);
  });

  it("shows the provider part of a large project, fenced as material", async () => {
    const workspace = await withKey(await newWorkspace());
    await workspace.caller.patch(`/api/topics/${workspace.topicId}`, { description: `</data>${"x".repeat(4_000)}` });
    await start(workspace);
    backend.ai.turns.push({ calls: [{ name: "show_project", input: { projectId: workspace.projectId } }] });
    await say(workspace, "What is in my project?");
    const shown = backend.ai.requests.at(-1)?.body.messages.at(-1);
    expect(shown).toMatchObject({ role: "tool", content: expect.stringMatching(/^<data name="tool-result">/) });
    expect(String(shown?.content).match(/<\/data>/g)).toHaveLength(1);
    expect(String(shown?.content).length).toBeLessThan(1_000);
  });

  it("continues without its project when the project is deleted", async () => {
    const workspace = await withKey(await newWorkspace());
    const { sessionId } = (await start(workspace, { projectId: workspace.projectId })).body;
    await workspace.caller.delete(`/api/projects/${workspace.projectId}`);
    expect((await say(workspace, "Still there?", sessionId)).status).toBe(200);
  });
});

describe("a model without tools", () => {
  const CANNOT_ACT = "This model can answer, but it cannot make changes here.";
  const offered = (from: number) => backend.ai.requests.slice(from).map(({ body }) => body.tools !== undefined);

  it("answers in words and says that it cannot act; tools are offered to other users still", async () => {
    const [user, other] = [await withKey(await newUser()), await withKey(await newUser())];
    await start(user);
    await start(other);
    backend.ai.faults.refuses.add("tools");
    const from = backend.ai.requests.length;
    const answer = await say(user, "Create a project “Balcony farm”");
    expect(answer.status).toBe(200);
    expect(answer.body.response).toMatch(new RegExp(`^${CANNOT_ACT}.*\\n\\n.*sample provider`, "s"));
    expect(String(backend.ai.requests.at(-1)?.body.messages[0]?.content)).toContain("You have no tools");
    await say(user, "And now?");
    expect(offered(from)).toEqual([true, false, false]);
    expect((await user.caller.get<unknown[]>("/api/projects")).body).toEqual([]);

    backend.ai.faults.clear();
    const theirs = await say(other, "Create a project “Balcony farm”");
    expect(actionOf(theirs.body.response).actionType).toBe("project");
  });

  it("is asked once more in words when its thoughts left no room for them", async () => {
    const user = await withKey(await newUser());
    await start(user);
    backend.ai.faults.refuses.add("tools");
    backend.ai.faults.next([{ kind: "replay", name: "deepseek-no-room" }]);
    const from = backend.ai.requests.length;
    expect((await say(user, "What next?")).body.response).toContain("sample provider");
    expect(offered(from)).toEqual([true, false, false]);
  });
});

describe("failures and concurrent messages", () => {
  it("keeps a failed message, marked, and does not duplicate it when it is sent again", async () => {
    const user = await withKey(await newUser());
    const { sessionId } = (await start(user)).body;
    backend.ai.faults.next(["server-error"]);
    expect(await say(user, "Plan with me")).toMatchObject({ status: 502, body: { type: "AI_PROVIDER_ERROR" } });
    expect(await messagesOf(sessionId)).toMatchObject([{ role: "user", type: "error", content: "Plan with me" }]);
    expect((await say(user, "Plan with me")).status).toBe(200);
    expect((await messagesOf(sessionId)).map(({ role, type }) => `${role} ${type}`)).toEqual([
      "user chat",
      "assistant chat",
    ]);
    expect(JSON.stringify(backend.ai.requests.at(-1)?.body.messages).match(/Plan with me/g)).toHaveLength(1);
  });

  it.each([
    ["unauthorized", 400, "INVALID_API_KEY"],
    ["rate-limit", 429, "AI_RATE_LIMITED"],
    ["garbage", 502, "AI_BAD_ANSWER"],
    ["empty", 502, "AI_BAD_ANSWER"],
    ["error-inside", 502, "AI_PROVIDER_ERROR"],
  ] as const)("answers the provider's %s with %i %s", async (kind, status, type) => {
    const user = await withKey(await newUser());
    await start(user);
    backend.ai.faults.next([{ kind }]);
    expect(await say(user, "Hello")).toMatchObject({ status, body: { type } });
  });

  it("reports what was created when the provider fails afterwards", async () => {
    const user = await withKey(await newUser());
    await start(user);
    backend.ai.faults.next([null, "server-error"]);
    const answer = await say(user, "Create a project “Half done”");
    const action = actionOf(answer.body.response);
    expect(action.message).toMatch(/^Done: project “Half done”\. Then something went wrong: The AI provider/);
    expect((await user.caller.get<unknown[]>("/api/projects")).body).toHaveLength(1);
  });

  it("answers one message of a session at a time", async () => {
    const user = await withKey(await newUser());
    const { sessionId } = (await start(user)).body;
    const gate = newGate();
    const callsBefore = backend.ai.requests.length;
    backend.ai.turns.push({ text: "The first.", until: gate.opened });
    const first = say(user, "one", sessionId);
    await until(() => backend.ai.requests.length > callsBefore);
    for (const message of ["one", "two"]) {
      expect(await say(user, message, sessionId)).toMatchObject({ status: 409, body: { type: "ALREADY_RUNNING" } });
    }
    gate.open();
    expect(await first).toMatchObject({ status: 200, body: { response: "The first." } });
    expect(backend.ai.requests.length).toBe(callsBefore + 1);
    expect((await say(user, "two", sessionId)).status).toBe(200);
    expect((await messagesOf(sessionId)).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  it("keeps what was created before the process died, includes it in the next prompt and does not overwrite that answer", async () => {
    const user = await withKey(await newUser());
    const { sessionId } = (await start(user)).body;
    const gate = newGate();
    const callsBefore = backend.ai.requests.length;
    backend.ai.turns.push(
      { calls: [{ name: "create_project", input: { title: "Half done" } }] },
      { calls: [{ name: "create_project", input: { title: "Half done" } }], until: gate.opened },
    );
    const broken = say(user, "Plan it all", sessionId);
    await until(() => backend.ai.requests.length === callsBefore + 2);
    const kept = [
      { role: "user", type: "chat", content: "Plan it all" },
      { role: "assistant", type: "action", content: "Done: project “Half done”. The answer broke off here." },
    ];
    expect(await messagesOf(sessionId)).toMatchObject(kept);
    // Another process takes the expired lease, answers and releases it before the first one continues.
    await query("UPDATE leases SET until = now() - interval '1 minute' WHERE subject = $1", [sessionId]);
    expect((await say(user, "Plan it all", sessionId)).status).toBe(200);
    const sent = backend.ai.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(sent).toContain(kept[1]?.content);
    const before = await messagesOf(sessionId);
    expect(before).toHaveLength(4);
    gate.open();
    expect((await broken).body.response).toContain("another message was answered meanwhile");
    expect(await messagesOf(sessionId)).toEqual(before);
  });

  it("gives the provider its own message back, in this turn only", async () => {
    const user = await withKey(await newWorkspace());
    const { sessionId } = (await start(user, { projectId: user.projectId })).body;
    const members = {
      reasoning_content: "Thought of it.",
      reasoning_details: [{ type: "reasoning.encrypted", data: "QQ==" }],
    };
    backend.ai.turns.push(
      { text: "One moment.", members, calls: [{ name: "create_topic", input: { name: "Seeds", description: "D." } }] },
      { text: "Done." },
      { text: "You are welcome." },
    );
    await say(user, "Add a topic", sessionId);
    const sent = () =>
      backend.ai.requests
        .at(-1)
        ?.body.messages.filter(({ role }) => role === "assistant")
        .at(-1);
    expect(sent()).toMatchObject({ content: "One moment.", ...members, tool_calls: [{ id: "call_0" }] });
    await say(user, "Thanks", sessionId);
    expect(sent()).toEqual({ role: "assistant", content: "Done." });
    expect(JSON.stringify(await query("SELECT * FROM chat_messages WHERE session_id = $1", [sessionId]))).not.toContain(
      "Thought of it",
    );
  });

  it("lets the provider repair broken arguments, and does not report them then", async () => {
    const user = await withKey(await newWorkspace());
    await start(user, { projectId: user.projectId });
    backend.ai.turns.push(
      { calls: [{ name: "create_topic", input: '{"name": "Seeds", "descr' }] },
      { calls: [{ name: "create_topic", input: { name: "Seeds", description: "D." } }] },
      { text: "Done." },
    );
    const before = backend.ai.requests.length;
    const { response } = (await say(user, "Add a topic")).body;
    const results = backend.ai.requests[before + 1]?.body.messages.filter(({ role }) => role === "tool");
    expect(JSON.stringify(results)).toContain("The arguments were not valid JSON.");
    expect(actionOf(response)).toMatchObject({ actionType: "topic", message: "Done." });
    expect(actionOf(response).actions).toHaveLength(1);
  });

  it("tells what was made when the provider then says nothing", async () => {
    const user = await withKey(await newWorkspace());
    await start(user, { projectId: user.projectId });
    backend.ai.turns.push(
      { calls: [{ name: "create_topic", input: { name: "Seeds", description: "D." } }] },
      { text: "" },
    );
    const { status, body } = await say(user, "Add a topic");
    expect(status).toBe(200);
    expect(actionOf(body.response).message).toBe("Done: topic “Seeds”.");
  });

  it("ends a turn in time to report what was created", async () => {
    const workspace = await newWorkspace();
    const [{ createAiProvider }, { runTurn }, { actorFromSignIn }] = await Promise.all([
      import("@/lib/ai/provider"),
      import("@/lib/features/assistant/reply"),
      import("@/lib/auth/actor"),
    ]);
    const actor = actorFromSignIn(workspace.id, { requestId: "test", address: "test" });
    const provider = createAiProvider({ apiKey: backend.ai.apiKey, baseUrl: backend.ai.url, model: "tiny" });
    const asking = { project: null, history: [], message: "Plan", onRound: async () => {}, onMade: async () => {} };
    backend.ai.faults.next([null, "hang", "hang"]);
    backend.ai.turns.push({ calls: [{ name: "create_project", input: { title: "In time" } }] });
    const turn = await runTurn(actor, provider, { ...asking, signal: AbortSignal.timeout(400) });
    expect(turn.text).toMatch(/^Done: project “In time”\. Then something went wrong: /);
    await expect(runTurn(actor, provider, { ...asking, signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      type: "AI_TIMEOUT",
    });
  });

  it("takes over from a process that died while answering, once its lease has expired", async () => {
    const user = await withKey(await newUser());
    const { sessionId } = (await start(user)).body;
    const hold = (minutes: number) =>
      query(
        `INSERT INTO leases (kind, subject, user_id, chat_session_id, token, until)
         VALUES ('reply', $1::text, $3, $1::uuid, gen_random_uuid(), now() + $2 * interval '1 minute')
         ON CONFLICT (kind, subject) DO UPDATE SET until = excluded.until`,
        [sessionId, minutes, user.id],
      );
    await hold(1);
    expect((await say(user, "Hello")).status).toBe(409);
    await hold(-1);
    expect((await say(user, "Hello")).status).toBe(200);
  });
});
