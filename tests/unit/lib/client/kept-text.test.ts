/** @jest-environment jsdom */
import { holdText, KEPT_DAYS, keepTexts, labelsAt, NOT_TO_KEEP, takeText } from "@/lib/client/kept-text";

const release: (() => void)[] = [];
const hold = (name: string, value: unknown, { userId = "maren", label }: { userId?: string; label?: string } = {}) =>
  release.push(holdText(name, { userId, take: () => value, ...(label ? { label } : {}) }));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  for (const each of release.splice(0)) each();
  jest.restoreAllMocks();
});

/** As if the page were loaded again in another tab. */
const otherTab = () => sessionStorage.clear();

it("keeps what is unsaved, and gives each text back once", () => {
  hold("body", "typed");
  hold("title", null);
  expect(keepTexts("maren")).toBe("kept");
  expect(takeText("maren", "title")).toBeUndefined();
  expect(takeText("maren", "body")).toBe("typed");
  expect(takeText("maren", "body")).toBeUndefined();
  expect(localStorage).toHaveLength(0);
});

it("keeps nothing when there is nothing, nor what is gone from the screen", () => {
  hold("title", null);
  hold("body", "typed");
  release.pop()?.();
  expect(keepTexts("maren")).toBe("nothing");
  expect(localStorage).toHaveLength(0);
});

it("is each person's own", () => {
  hold("body", "of maren");
  expect(keepTexts("maren")).toBe("kept");
  // Another person's session in the same tab: the field that is left over is not theirs.
  expect(keepTexts("jonas")).toBe("nothing");
  expect(takeText("jonas", "body")).toBeUndefined();
  expect(takeText("maren", "body")).toBe("of maren");
});

it("keeps no text of a page with a secret, and none that is too long, and says so", () => {
  hold("key", NOT_TO_KEEP);
  hold("body", "typed");
  expect(keepTexts("maren")).toBe("failed");
  for (const each of release.splice(0)) each();
  hold("body", "x".repeat(1_600_000));
  expect(keepTexts("maren")).toBe("failed");
  expect(localStorage).toHaveLength(0);
});

it("says so when the browser has no room", () => {
  hold("body", "typed");
  jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(keepTexts("maren")).toBe("failed");
});

it("reads nothing out of a storage that is closed or holds nonsense", () => {
  hold("body", "typed");
  keepTexts("maren");
  const [key] = Object.keys(localStorage);
  for (const nonsense of ["{", "[]", "null", '{"at":1,"texts":null}']) {
    localStorage.setItem(key ?? "", nonsense);
    expect(takeText("maren", "body")).toBeUndefined();
  }
  jest.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("closed", "SecurityError");
  });
  expect(takeText("maren", "body")).toBeUndefined();
});

it("gives each tab its own text of the same field", () => {
  hold("body", "first");
  keepTexts("maren");
  const first = sessionStorage.getItem("tab-id") ?? "";
  otherTab();
  hold("body", "second");
  keepTexts("maren");
  sessionStorage.setItem("tab-id", first);
  expect(takeText("maren", "body")).toBe("first");
  // A third tab, or a browser opened again, finds what is left.
  otherTab();
  expect(takeText("maren", "body")).toBe("second");
});

it("keeps a text that was not taken back yet when the session ends once more", () => {
  hold("body", "typed");
  keepTexts("maren");
  release.pop()?.();
  hold("title", "later");
  keepTexts("maren");
  expect([takeText("maren", "body"), takeText("maren", "title")]).toEqual(["typed", "later"]);
});

it("forgets after some days, and the oldest of too many", () => {
  const now = Date.now();
  const clock = jest.spyOn(Date, "now").mockReturnValue(now);
  hold("body", "typed");
  keepTexts("maren");
  clock.mockReturnValue(now + KEPT_DAYS * 86_400_000 + 1);
  expect(takeText("maren", "body")).toBeUndefined();
  expect(localStorage).toHaveLength(0);
  for (let tab = 0; tab < 25; tab += 1) {
    clock.mockReturnValue(now + tab);
    otherTab();
    keepTexts("maren");
  }
  expect(localStorage).toHaveLength(20);
});

it("knows the dialogs of a page that have a text waiting", () => {
  window.history.replaceState(null, "", "/projects/3");
  hold("topic:3", { name: "Slugs" }, { label: "Add Topic" });
  hold("keyword:7", "heat mats");
  keepTexts("maren");
  expect(labelsAt("maren", "/projects/3")).toEqual(["Add Topic"]);
  expect(labelsAt("maren", "/projects/4")).toEqual([]);
  expect(labelsAt("jonas", "/projects/3")).toEqual([]);
  takeText("maren", "topic:3");
  expect(labelsAt("maren", "/projects/3")).toEqual([]);
});
