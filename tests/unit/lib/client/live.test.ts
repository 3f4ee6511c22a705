/** @jest-environment jsdom */
import { QueryObserver } from "@tanstack/react-query";
import { ApiError, api } from "@/lib/client/api";
import { followCalls, isJustChanged, markChanged, putAnswer } from "@/lib/client/live";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { answerCalls, failure, heldAnswer } from "@/tests/support/render";

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  stop();
  jest.useRealTimers();
  window.localStorage.clear();
});

let stop: () => void = () => undefined;
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** A tab whose screen shows the projects; `calls` are those it has made. */
async function openTab(table: Parameters<typeof answerCalls>[0] = {}) {
  let version = 0;
  const calls = answerCalls({ "GET /api/projects": () => ({ json: [{ id: ++version }] }), ...table });
  const client = createQueryClient();
  stop = followCalls(client);
  const leave = new QueryObserver(client, { queryKey: keys.projects() }).subscribe(() => undefined);
  await pass(0);
  const gets = () => calls.filter(({ method }) => method === "GET").length;
  return { client, calls, leave, gets };
}

describe("a call of the API", () => {
  it("has what it changed fetched again where it is on screen, and marks the rest", async () => {
    const { client, gets } = await openTab({ "POST /api/projects": () => ({ status: 201, json: { id: 9 } }) });
    client.setQueryData(keys.allLibraryGroups(), []);
    client.setQueryData(keys.keywords(7), []);
    await api("POST", "/api/projects", { title: "Garden" });
    await pass(0);
    expect(gets()).toBe(2);
    expect(client.getQueryState(keys.allLibraryGroups())?.isInvalidated).toBe(true);
    expect(client.getQueryState(keys.keywords(7))?.isInvalidated).toBe(false);
  });

  it("counts no fetch that was under way before it: it may have been answered from before", async () => {
    const first = heldAnswer();
    let asked = 0;
    const { client } = await openTab({
      "GET /api/projects": () => (++asked === 1 ? first.answer() : { json: ["new"] }),
      "POST /api/projects": () => ({ status: 201, json: { id: 9 } }),
    });
    await api("POST", "/api/projects", { title: "Garden" });
    await pass(0);
    first.give({ json: ["old"] });
    await pass(0);
    expect(client.getQueryData(keys.projects())).toEqual(["new"]);
  });

  it("nor one of a screen that was left while it loaded", async () => {
    const first = heldAnswer();
    const { client, leave } = await openTab({
      "GET /api/projects": () => first.answer(),
      "POST /api/projects": () => ({ status: 201, json: { id: 9 } }),
    });
    leave();
    await api("POST", "/api/projects", { title: "Garden" });
    first.give({ json: ["old"] });
    await pass(0);
    expect(client.getQueryData(keys.projects())).toBeUndefined();
  });

  it("that fails refreshes too, since only its answer may be lost, but not when its input was refused", async () => {
    let answer: { status: number; json: unknown } = { status: 500, json: failure("Broken.", "INTERNAL") };
    const { gets } = await openTab({ "POST /api/projects": () => answer });
    await expect(api("POST", "/api/projects", {})).rejects.toThrow(ApiError);
    await pass(0);
    expect(gets()).toBe(2);
    answer = { status: 400, json: failure("A title, please.", "VALIDATION_ERROR") };
    await expect(api("POST", "/api/projects", {})).rejects.toThrow(ApiError);
    await pass(5_000);
    expect(gets()).toBe(2);
  });

  it("made fifty times has the list fetched once a second", async () => {
    const { gets } = await openTab({ "POST /api/projects": () => ({ status: 201, json: { id: 9 } }) });
    for (let made = 0; made < 50; made++) {
      await api("POST", "/api/projects", {});
      await pass(50);
    }
    await pass(1_000);
    expect(gets()).toBeLessThanOrEqual(1 + 4);
  });

  it("that takes long shows what it has done so far", async () => {
    const published = heldAnswer();
    const { client } = await openTab({
      "POST /api/projects/3/publish-all-to-wordpress": () => published.answer(),
    });
    client.setQueryData(keys.projectContent(3), []);
    const call = api("POST", "/api/projects/3/publish-all-to-wordpress");
    await pass(10_000);
    expect(client.getQueryState(keys.projectContent(3))?.isInvalidated).toBe(true);
    published.give({ json: { results: [] } });
    await call;
  });
});

it("an answer that is put in its place is not fetched again, but does not count as newer than what follows", async () => {
  const { client, gets } = await openTab();
  markChanged(client, [{ noun: "project" }]);
  putAnswer(client, keys.projects(), ["answered"]);
  await pass(2_000);
  expect(gets()).toBe(1);
  expect(client.getQueryData(keys.projects())).toEqual(["answered"]);
  expect(client.getQueryState(keys.projects())?.isInvalidated).toBe(true);
});

it("remembers for half a minute what was changed", async () => {
  const { client } = await openTab();
  markChanged(client, [{ noun: "piece", projectId: 3, topicId: 7 }]);
  expect(isJustChanged(client, { queryKey: keys.topicContent(3, 7) })).toBe(true);
  expect(isJustChanged(client, { queryKey: keys.topicContent(3, 8) })).toBe(false);
  await pass(30_000);
  expect(isJustChanged(client, { queryKey: keys.topicContent(3, 7) })).toBe(false);
});

describe("a call whose page is gone", () => {
  const WORK = "content-planner:call:of-another-page";
  const changes = [{ noun: "project" }];

  it("is looked after every ten seconds until it must have ended", async () => {
    window.localStorage.setItem(WORK, JSON.stringify({ changes, until: Date.now() + 25_000 }));
    const { gets } = await openTab();
    const atFirst = gets();
    await pass(10_100);
    expect(gets()).toBe(atFirst + 1);
    await pass(20_000);
    expect(window.localStorage.getItem(WORK)).toBeNull();
    const atLast = gets();
    await pass(60_000);
    expect(gets()).toBe(atLast);
  });

  it("tells that it has ended, when its page was still there", async () => {
    const { gets } = await openTab();
    const work = JSON.stringify({ changes, until: Date.now() + 60_000 });
    window.dispatchEvent(new StorageEvent("storage", { key: WORK, oldValue: work, newValue: null }));
    await pass(0);
    expect(gets()).toBe(2);
  });

  it("is kept without a word of what it writes, and only as long as it runs", async () => {
    const idea = heldAnswer();
    await openTab({ "POST /api/projects/3/generate-content-ideas": () => idea.answer() });
    const call = api("POST", "/api/projects/3/generate-content-ideas", { topicId: 7, ideasPerKeyword: 3, secret: "x" });
    const kept = JSON.parse(window.localStorage.getItem(window.localStorage.key(0) ?? "") ?? "{}");
    expect(kept.changes).toEqual([{ noun: "piece", projectId: 3, topicId: 7 }]);
    expect(Object.keys(kept).sort()).toEqual(["changes", "until"]);
    idea.give({ json: { message: "", contentIdeas: [] } });
    await call;
    expect(window.localStorage).toHaveLength(0);
  });

  it("goes on to be looked after when only its answer was lost", async () => {
    await openTab({
      "POST /api/projects/3/generate-content-ideas": () => {
        throw new TypeError("Failed to fetch");
      },
    });
    await expect(api("POST", "/api/projects/3/generate-content-ideas", {})).rejects.toThrow(TypeError);
    expect(window.localStorage).toHaveLength(1);
    await pass(120_000);
    expect(window.localStorage).toHaveLength(0);
  });

  it("does no harm where something else lies under its name", async () => {
    window.localStorage.setItem(WORK, "nonsense");
    await openTab();
    expect(window.localStorage.getItem(WORK)).toBeNull();
  });
});

describe("another tab", () => {
  /** jsdom has no channel between tabs. */
  class Channel {
    static open: Channel[] = [];
    onmessage: ((event: { data: unknown }) => void) | undefined;
    constructor() {
      Channel.open.push(this);
    }
    postMessage(data: unknown) {
      for (const other of Channel.open)
        if (other !== this) other.onmessage?.({ data: JSON.parse(JSON.stringify(data)) });
    }
    close() {
      Channel.open = Channel.open.filter((each) => each !== this);
    }
  }

  beforeEach(() => Object.assign(globalThis, { BroadcastChannel: Channel }));
  afterEach(() => Reflect.deleteProperty(globalThis, "BroadcastChannel"));

  it("hears what changed here, and fetches it", async () => {
    const { client, gets } = await openTab({ "POST /api/projects": () => ({ status: 201, json: { id: 9 } }) });
    const elsewhere = createQueryClient();
    elsewhere.setQueryData(keys.projects(), []);
    const other = new Channel();
    other.onmessage = ({ data }) => markChanged(elsewhere, data as never);
    await api("POST", "/api/projects", {});
    expect(elsewhere.getQueryState(keys.projects())?.isInvalidated).toBe(true);

    await pass(2_000);
    const before = gets();
    other.postMessage([{ noun: "project" }]);
    await pass(0);
    expect(gets()).toBe(before + 1);
    expect(client.getQueryData(keys.projects())).toBeDefined();
    other.close();
  });
});
