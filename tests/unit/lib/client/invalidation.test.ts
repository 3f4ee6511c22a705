/** @jest-environment jsdom */
import { QueryObserver } from "@tanstack/react-query";
import { ApiError, api } from "@/lib/client/api";
import {
  invalidate,
  invalidateOnApiCalls,
  isRecentlyInvalidated,
  refetchNow,
  setAnswer,
} from "@/lib/client/invalidation";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { failure, mockApi, pendingAnswer } from "@/tests/support/render";

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  stop();
  jest.useRealTimers();
  window.localStorage.clear();
});

let stop: () => void = () => undefined;
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** A tab whose screen shows the projects; `calls` are those it has made. */
async function openTab(table: Parameters<typeof mockApi>[0] = {}) {
  let version = 0;
  const calls = mockApi({ "GET /api/projects": () => ({ json: [{ id: ++version }] }), ...table });
  const client = createQueryClient();
  stop = invalidateOnApiCalls(client);
  const leave = new QueryObserver(client, { queryKey: keys.projects() }).subscribe(() => undefined);
  await pass(0);
  const gets = () => calls.filter(({ method }) => method === "GET").length;
  return { client, calls, leave, gets };
}

describe("an API call", () => {
  it("refetches what it changed where it is on screen, and invalidates the rest", async () => {
    const { client, gets } = await openTab({ "POST /api/projects": () => ({ status: 201, json: { id: 9 } }) });
    client.setQueryData(keys.allLibraryGroups(), []);
    client.setQueryData(keys.keywords(7), []);
    await api("POST", "/api/projects", { title: "Garden" });
    await pass(0);
    expect(gets()).toBe(2);
    expect(client.getQueryState(keys.allLibraryGroups())?.isInvalidated).toBe(true);
    expect(client.getQueryState(keys.keywords(7))?.isInvalidated).toBe(false);
  });

  it("ignores the answer of a fetch that was in flight before it", async () => {
    const first = pendingAnswer();
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

  it("ignores it even if the screen was left while it loaded", async () => {
    const first = pendingAnswer();
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

  it("refetches after a failure too, whose answer may just be lost, unless the input was rejected", async () => {
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

  it("refetches a list once a second when it is made fifty times", async () => {
    const { gets } = await openTab({ "POST /api/projects": () => ({ status: 201, json: { id: 9 } }) });
    for (let made = 0; made < 50; made++) {
      await api("POST", "/api/projects", {});
      await pass(50);
    }
    await pass(1_000);
    expect(gets()).toBeLessThanOrEqual(1 + 4);
  });

  it("does not block a list when it is made faster than the list is fetched", async () => {
    let version = 0;
    const { client } = await openTab({
      "GET /api/projects": async () => {
        version += 1;
        const json = [{ id: version }];
        if (version > 1) await new Promise((resolve) => setTimeout(resolve, 800));
        return { json };
      },
      "POST /api/projects": () => ({ status: 201, json: { id: 9 } }),
    });
    for (let made = 0; made < 9; made++) {
      await api("POST", "/api/projects", {});
      await pass(100);
    }
    expect(client.getQueryData(keys.projects())).toEqual([{ id: 2 }]);
  });

  it("refetches a list only once when it is opened before the next batch", async () => {
    const { client, calls } = await openTab({
      "GET /api/topics/7/keywords": () => ({ json: [] }),
      "DELETE /api/topics/7": () => ({ status: 204 }),
      "POST /api/projects": () => ({ status: 201, json: { id: 9 } }),
    });
    client.setQueryData(keys.keywords(7), []);
    await api("POST", "/api/projects", {});
    await pass(100);
    await Promise.all([api("POST", "/api/projects", {}), api("DELETE", "/api/topics/7")]);
    new QueryObserver(client, { queryKey: keys.keywords(7) }).subscribe(() => undefined);
    await pass(2_000);
    expect(calls.filter(({ url }) => url === "/api/topics/7/keywords")).toHaveLength(1);
  });

  it("refetches nothing for a screen that was left before the next batch", async () => {
    const { leave, gets } = await openTab({ "POST /api/projects": () => ({ status: 201, json: { id: 9 } }) });
    await api("POST", "/api/projects", {});
    await pass(100);
    await api("POST", "/api/projects", {});
    leave();
    await pass(2_000);
    expect(gets()).toBe(2);
  });

  it("shows its progress while it runs", async () => {
    const published = pendingAnswer();
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

it("a stored answer is not refetched, but stays stale for when it is next opened", async () => {
  const { client, gets } = await openTab();
  invalidate(client, [{ noun: "project" }]);
  setAnswer(client, keys.projects(), ["answered"]);
  await pass(2_000);
  expect(gets()).toBe(1);
  expect(client.getQueryData(keys.projects())).toEqual(["answered"]);
  expect(client.getQueryState(keys.projects())?.isInvalidated).toBe(true);
});

it("a list that was refetched separately is not refetched with the batch", async () => {
  const { client, gets } = await openTab();
  invalidate(client, [{ noun: "project" }]);
  await refetchNow(client, keys.projects());
  await pass(2_000);
  expect(gets()).toBe(2);
});

it("remembers changes for half a minute", async () => {
  const { client } = await openTab();
  invalidate(client, [{ noun: "piece", projectId: 3, topicId: 7 }]);
  expect(isRecentlyInvalidated(client, { queryKey: keys.topicContent(3, 7) })).toBe(true);
  expect(isRecentlyInvalidated(client, { queryKey: keys.topicContent(3, 8) })).toBe(false);
  await pass(30_000);
  expect(isRecentlyInvalidated(client, { queryKey: keys.topicContent(3, 7) })).toBe(false);
});

describe("a call whose page is gone", () => {
  const WORK = "content-planner:call:of-another-page";
  const changes = [{ noun: "project" }];

  it("is checked every ten seconds until its deadline", async () => {
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

  it("causes a refetch when another tab ends it", async () => {
    const { gets } = await openTab();
    const work = JSON.stringify({ changes, until: Date.now() + 60_000 });
    window.dispatchEvent(new StorageEvent("storage", { key: WORK, oldValue: work, newValue: null }));
    await pass(0);
    expect(gets()).toBe(2);
  });

  it("is stored with ids only, and only while it runs", async () => {
    const idea = pendingAnswer();
    await openTab({ "POST /api/projects/3/generate-content-ideas": () => idea.answer() });
    const call = api("POST", "/api/projects/3/generate-content-ideas", { topicId: 7, ideasPerKeyword: 3, secret: "x" });
    const kept = JSON.parse(window.localStorage.getItem(window.localStorage.key(0) ?? "") ?? "{}");
    expect(kept.changes).toEqual([{ noun: "piece", projectId: 3, topicId: 7 }]);
    expect(Object.keys(kept).sort()).toEqual(["changes", "until"]);
    idea.give({ json: { message: "", contentIdeas: [] } });
    await call;
    expect(window.localStorage).toHaveLength(0);
  });

  it("is still checked when only its answer was lost", async () => {
    await openTab({
      "POST /api/projects/3/generate-content-ideas": () => {
        throw new TypeError("Failed to fetch");
      },
    });
    await expect(api("POST", "/api/projects/3/generate-content-ideas", {})).rejects.toThrow(TypeError);
    expect(window.localStorage).toHaveLength(1);
    await pass(310_000);
    expect(window.localStorage).toHaveLength(0);
  });

  it("is removed when its entry is unreadable", async () => {
    window.localStorage.setItem(WORK, "nonsense");
    await openTab();
    expect(window.localStorage.getItem(WORK)).toBeNull();
  });
});

describe("another tab", () => {
  /** jsdom has no BroadcastChannel. */
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

  it("exchanges changes with this one", async () => {
    const { client, gets } = await openTab({ "POST /api/projects": () => ({ status: 201, json: { id: 9 } }) });
    const elsewhere = createQueryClient();
    elsewhere.setQueryData(keys.projects(), []);
    const other = new Channel();
    other.onmessage = ({ data }) => invalidate(elsewhere, data as never);
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
