/** @jest-environment jsdom */
import type { Change } from "@/lib/client/changes";
import { connectTabs } from "@/lib/client/other-tabs";

const CALL = "content-planner:call:";
const CHANGES: Change[] = [{ noun: "piece", projectId: 3 }];

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  disconnect();
  jest.restoreAllMocks();
  jest.useRealTimers();
  window.localStorage.clear();
});

let disconnect: () => void = () => undefined;

function open() {
  const onChanges = jest.fn();
  const tabs = connectTabs(onChanges);
  disconnect = tabs.disconnect;
  /** The changes reported since it was last called, without empty reports. */
  const reported = () => {
    const all = onChanges.mock.calls.map(([changes]) => changes as Change[]).filter((changes) => changes.length > 0);
    onChanges.mockClear();
    return all;
  };
  return { tabs, reported };
}

const store = (name: string, entry: unknown) => window.localStorage.setItem(CALL + name, JSON.stringify(entry));
const storage = (key: string, newValue: string | null, oldValue: string | null = null) =>
  window.dispatchEvent(new StorageEvent("storage", { key, newValue, oldValue }));
const stored = () => Object.values({ ...window.localStorage }).map((text) => JSON.parse(String(text)));

it("stores a running call until its deadline", () => {
  const { tabs, reported } = open();
  const call = tabs.startCall(CHANGES, 90);
  expect(stored()).toEqual([{ changes: CHANGES, until: Date.now() + 90_000 }]);
  jest.advanceTimersByTime(60_000);
  expect(reported()).toEqual([]);
  call.end();
  expect(window.localStorage).toHaveLength(0);
  expect(jest.getTimerCount()).toBe(0);
});

it("follows a call that its page no longer waits for, every ten seconds until its deadline", () => {
  const { tabs, reported } = open();
  tabs.startCall(CHANGES, 20).abandon();
  expect(reported()).toEqual([CHANGES]);
  jest.advanceTimersByTime(9_999);
  expect(reported()).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(reported()).toEqual([CHANGES]);
  expect(window.localStorage).toHaveLength(1);
  jest.advanceTimersByTime(10_000);
  expect(reported()).toEqual([CHANGES]);
  expect(window.localStorage).toHaveLength(0);
  jest.advanceTimersByTime(10_000);
  expect(reported()).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

it("follows a call that another tab started, and reports its changes when it ends", () => {
  const { reported } = open();
  const entry = { changes: CHANGES, until: Date.now() + 60_000 };
  store("other", entry);
  storage(`${CALL}other`, JSON.stringify(entry));
  expect(reported()).toEqual([]);
  jest.advanceTimersByTime(10_000);
  expect(reported()).toEqual([CHANGES]);
  window.localStorage.clear();
  storage(`${CALL}other`, null, JSON.stringify(entry));
  expect(reported()).toEqual([CHANGES]);
  storage(`${CALL}other`, null, "nonsense");
  expect(reported()).toEqual([]);
  storage("theme", null, JSON.stringify(entry));
  expect(reported()).toEqual([]);
});

it.each([["text"], [{ changes: CHANGES }], [{ until: 1 }], [null]])(
  "removes an invalid entry without reporting it: %j",
  (entry) => {
    store("other", entry);
    window.localStorage.setItem("theme", "dark");
    const { reported } = open();
    expect(reported()).toEqual([]);
    expect(Object.keys(window.localStorage)).toEqual(["theme"]);
  },
);

it("reports nothing once it is disconnected", () => {
  store("other", { changes: CHANGES, until: Date.now() + 60_000 });
  const { tabs, reported } = open();
  expect(reported()).toEqual([CHANGES]);
  tabs.disconnect();
  jest.advanceTimersByTime(60_000);
  storage(`${CALL}x`, null, JSON.stringify({ changes: CHANGES, until: 1 }));
  expect(reported()).toEqual([]);
});

it("works without storage where the browser blocks it or it is full", () => {
  jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  open().tabs.startCall(CHANGES, 90).end();
  jest.spyOn(window, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  const { tabs, reported } = open();
  tabs.startCall(CHANGES, 90).abandon();
  expect(reported()).toEqual([]);
});

describe("with a channel", () => {
  const channel = { postMessage: jest.fn(), close: jest.fn(), onmessage: (_event: { data: unknown }) => undefined };
  beforeEach(() => Object.assign(globalThis, { BroadcastChannel: jest.fn(() => channel) }));
  afterEach(() => Reflect.deleteProperty(globalThis, "BroadcastChannel"));

  it("sends and receives changes, and ignores anything else", () => {
    const { tabs, reported } = open();
    tabs.broadcast(CHANGES);
    expect(channel.postMessage).toHaveBeenCalledWith(CHANGES);
    channel.onmessage({ data: CHANGES });
    channel.onmessage({ data: "of an older release" });
    expect(reported()).toEqual([CHANGES]);
    tabs.disconnect();
    expect(channel.close).toHaveBeenCalled();
  });
});
