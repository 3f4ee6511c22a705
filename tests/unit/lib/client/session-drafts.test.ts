/** @jest-environment jsdom */
import { draftLabelsAt, NOT_STORABLE, registerDraft, saveDrafts, takeDraft } from "@/lib/client/session-drafts";

const release: (() => void)[] = [];
const addDraft = (
  name: string,
  value: unknown,
  { userId = "maren", label }: { userId?: string; label?: string } = {},
) => release.push(registerDraft(name, { userId, take: () => value, ...(label ? { label } : {}) }));

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

it("stores unsaved texts, and returns each of them once", () => {
  addDraft("body", "typed");
  addDraft("title", null);
  expect(saveDrafts("maren")).toBe("saved");
  expect(takeDraft("maren", "title")).toBeUndefined();
  expect(takeDraft("maren", "body")).toBe("typed");
  expect(takeDraft("maren", "body")).toBeUndefined();
  expect(localStorage).toHaveLength(0);
});

it("stores nothing without unsaved text or for an unmounted field", () => {
  addDraft("title", null);
  addDraft("body", "typed");
  release.pop()?.();
  expect(saveDrafts("maren")).toBe("none");
  expect(localStorage).toHaveLength(0);
});

it("keeps the drafts of each user separate", () => {
  addDraft("body", "of maren");
  expect(saveDrafts("maren")).toBe("saved");
  // The field that is still mounted belongs to the user before.
  expect(saveDrafts("jonas")).toBe("none");
  expect(takeDraft("jonas", "body")).toBeUndefined();
  expect(takeDraft("maren", "body")).toBe("of maren");
});

it("fails when a secret is typed or a text is too long", () => {
  addDraft("key", NOT_STORABLE);
  addDraft("body", "typed");
  expect(saveDrafts("maren")).toBe("failed");
  for (const each of release.splice(0)) each();
  addDraft("body", "x".repeat(1_600_000));
  expect(saveDrafts("maren")).toBe("failed");
  expect(localStorage).toHaveLength(0);
});

it("stores at most 1.5 million characters, including its own metadata", () => {
  const entry = { at: Date.now(), path: window.location.pathname, texts: { body: { value: "" } } };
  const room = 1_500_000 - JSON.stringify(entry).length;
  addDraft("body", "x".repeat(room + 1));
  expect(saveDrafts("maren")).toBe("failed");
  release.pop()?.();
  addDraft("body", "x".repeat(room));
  expect(saveDrafts("maren")).toBe("saved");
});

it("returns the text of a field that was mounted again before it was unmounted", () => {
  addDraft("body", "of the old field");
  addDraft("body", "of the new field");
  release.shift()?.();
  expect(saveDrafts("maren")).toBe("saved");
  expect(takeDraft("maren", "body")).toBe("of the new field");
});

it("returns the newest of several texts that other tabs left", () => {
  const clock = jest.spyOn(Date, "now");
  for (const [at, text] of [
    [2, "newest"],
    [1, "older"],
    [0, "oldest"],
  ] as const) {
    clock.mockReturnValue(1_800_000_000_000 + at);
    addDraft("body", text);
    saveDrafts("maren");
    release.pop()?.();
    otherTab();
  }
  expect([1, 2, 3].map(() => takeDraft("maren", "body"))).toEqual(["newest", "older", "oldest"]);
});

it("fails when the browser has no room", () => {
  addDraft("body", "typed");
  jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(saveDrafts("maren")).toBe("failed");
});

it("reads nothing from blocked storage or unreadable entries", () => {
  addDraft("body", "typed");
  saveDrafts("maren");
  const [key] = Object.keys(localStorage);
  for (const nonsense of ["{", "[]", "null", '{"at":1,"texts":null}']) {
    localStorage.setItem(key ?? "", nonsense);
    expect(takeDraft("maren", "body")).toBeUndefined();
  }
  jest.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("closed", "SecurityError");
  });
  expect(takeDraft("maren", "body")).toBeUndefined();
});

it("returns to each tab its own text of the same field", () => {
  addDraft("body", "first");
  saveDrafts("maren");
  const first = sessionStorage.getItem("tab-id") ?? "";
  otherTab();
  addDraft("body", "second");
  saveDrafts("maren");
  sessionStorage.setItem("tab-id", first);
  expect(takeDraft("maren", "body")).toBe("first");
  // A third tab, or a reopened browser, finds the other text.
  otherTab();
  expect(takeDraft("maren", "body")).toBe("second");
});

it("keeps a text that was not restored yet when the session ends again", () => {
  addDraft("body", "typed");
  saveDrafts("maren");
  release.pop()?.();
  addDraft("title", "later");
  saveDrafts("maren");
  expect([takeDraft("maren", "body"), takeDraft("maren", "title")]).toEqual(["typed", "later"]);
});

it("drops expired drafts, and the oldest when there are too many", () => {
  const now = Date.now();
  const clock = jest.spyOn(Date, "now").mockReturnValue(now);
  addDraft("body", "typed", { label: "Add Topic" });
  saveDrafts("maren");
  clock.mockReturnValue(now + 7 * 86_400_000);
  expect(draftLabelsAt("maren", window.location.pathname)).toEqual(["Add Topic"]);
  clock.mockReturnValue(now + 7 * 86_400_000 + 1);
  expect(takeDraft("maren", "body")).toBeUndefined();
  expect(localStorage).toHaveLength(0);
  for (let tab = 0; tab < 25; tab += 1) {
    clock.mockReturnValue(now + tab);
    otherTab();
    saveDrafts("maren");
  }
  const kept = Object.values({ ...localStorage }).map((entry) => JSON.parse(String(entry)).at - now);
  expect(kept.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, tab) => tab + 5));
});

it("lists the dialogs of a page that have a stored text", () => {
  window.history.replaceState(null, "", "/projects/3");
  addDraft("topic:3", { name: "Slugs" }, { label: "Add Topic" });
  addDraft("keyword:7", "heat mats");
  saveDrafts("maren");
  addDraft("topic:4", { name: "Soil" }, { label: "Add Topic" });
  saveDrafts("maren");
  expect(draftLabelsAt("maren", "/projects/3")).toEqual(["Add Topic"]);
  takeDraft("maren", "topic:4");
  expect(draftLabelsAt("maren", "/projects/4")).toEqual([]);
  expect(draftLabelsAt("jonas", "/projects/3")).toEqual([]);
  takeDraft("maren", "topic:3");
  expect(draftLabelsAt("maren", "/projects/3")).toEqual([]);
});
