import type { ToastInput } from "@/lib/client/toast-input";
import { createToastQueue, TOAST_MS } from "@/lib/client/toast-queue";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A queue with a screen that draws at once. */
function open() {
  const queue = createToastQueue();
  queue.subscribe(() => {
    const shown = queue.read();
    if (shown?.isLeaving) queue.gone(shown.key);
    else if (shown) queue.begin(shown.key);
  });
  const success = (description: string, more: Partial<ToastInput> = {}) =>
    queue.add({ title: "Success", description, ...more });
  const error = (description: string, more: Partial<ToastInput> = {}) =>
    queue.add({ title: "Error", description, variant: "destructive", ...more });
  const says = () => queue.read()?.input.description ?? null;
  /** Everything that is said from here on, each for its time. */
  function rest(): (string | null)[] {
    const all: (string | null)[] = [];
    for (let said = says(); said !== null; said = says()) {
      all.push(said);
      jest.advanceTimersByTime(TOAST_MS - 1);
      expect(says()).toBe(said);
      jest.advanceTimersByTime(1);
    }
    return all;
  }
  return { queue, success, error, says, rest };
}

describe("the queue of notifications", () => {
  it("says each outcome in turn, for its full time", () => {
    const { success, error, rest } = open();
    success("one");
    error("two");
    success("three");
    expect(rest()).toEqual(["one", "two", "three"]);
  });

  it("keeps a notification as long as it asks for", () => {
    const { success, says } = open();
    success("queued", { durationMs: 5_000 });
    jest.advanceTimersByTime(4_999);
    expect(says()).toBe("queued");
    jest.advanceTimersByTime(1);
    expect(says()).toBeNull();
  });

  it("gives no time to what is not on the screen yet", () => {
    const queue = createToastQueue();
    queue.add({ title: "Saved" });
    jest.advanceTimersByTime(60_000);
    const { key = 0 } = queue.read() ?? {};
    queue.begin(key);
    jest.advanceTimersByTime(TOAST_MS - 1);
    expect(queue.read()).toMatchObject({ isLeaving: false });
  });

  it("goes on when what leaves never says that it has left", () => {
    const queue = createToastQueue();
    queue.add({ title: "First" });
    queue.add({ title: "Second" });
    queue.close(queue.read()?.key ?? 0);
    jest.advanceTimersByTime(1_000);
    expect(queue.read()?.input.title).toBe("Second");
  });

  it("says an outcome that came while the one of its subject was leaving", () => {
    const queue = createToastQueue();
    queue.add({ title: "Error", subject: "piece:1" });
    const { key = 0 } = queue.read() ?? {};
    queue.close(key);
    queue.add({ title: "Success", subject: "piece:1" });
    expect(queue.read()).toMatchObject({ key, isLeaving: true, input: { title: "Error" } });
    queue.gone(key);
    expect(queue.read()).toMatchObject({ isLeaving: false, input: { title: "Success" } });
  });

  it("puts the newer outcome of a subject where the older one was", () => {
    const { success, error, rest } = open();
    success("shown");
    error("not saved", { subject: "piece:1" });
    success("other");
    success("saved", { subject: "piece:1" });
    expect(rest()).toEqual(["shown", "saved", "other"]);
  });

  it("says the same words in a row once, and again after others", () => {
    const { success, rest } = open();
    success("added");
    success("added");
    success("deleted");
    success("deleted");
    success("added");
    expect(rest()).toEqual(["added", "deleted", "added"]);
  });

  it("keeps one sentence of several subjects until each has a newer outcome", () => {
    const { success, error, rest } = open();
    success("shown");
    error("no site", { subject: "piece:1" });
    error("no site", { subject: "piece:2" });
    success("published one", { subject: "piece:1" });
    expect(rest()).toEqual(["shown", "no site", "published one"]);
    success("shown");
    error("no site", { subject: "piece:1" });
    error("no site", { subject: "piece:2" });
    success("published one", { subject: "piece:1" });
    success("published two", { subject: "piece:2" });
    expect(rest()).toEqual(["shown", "published two", "published one"]);
  });

  it("takes back what does not hold any more", () => {
    const { queue, success, error, rest } = open();
    error("not sent", { subject: "chat" });
    success("saved");
    error("not sent", { subject: "chat" });
    queue.withdraw("chat");
    expect(rest()).toEqual(["saved"]);
  });

  it("says nothing more when it is cleared", () => {
    const { queue, success, rest } = open();
    success("one");
    success("two");
    queue.clear();
    expect(rest()).toEqual([]);
  });

  it("lets at most three wait: the oldest success goes, never an error or the newest", () => {
    const { success, error, rest } = open();
    for (const each of ["1", "2", "3"]) success(each);
    error("broken");
    for (const each of ["4", "5", "6"]) success(each);
    expect(rest()).toEqual(["1", "broken", "5", "6"]);
  });

  it("tells errors together when more than three would wait", () => {
    const { queue, error, success, rest } = open();
    for (const each of ["a", "b", "c", "d", "d"]) error(each);
    queue.add({ title: "Connection Error", description: "e", variant: "destructive", reference: "1a2b3c4d" });
    success("saved");
    expect(rest()).toEqual(["a", "b", "c\nd\nConnection Error: e", "saved"]);
  });

  it("names the number of the errors it tells together, and the first three of them", () => {
    const { queue, error } = open();
    for (let each = 0; each < 12; each++) error(`${each}.`, { reference: `r${each}`, subject: `piece:${each}` });
    queue.withdraw("piece:11");
    for (let shown = 0; shown < 3; shown++) queue.close(queue.read()?.key ?? 0);
    expect(queue.read()?.input).toEqual({
      title: "8 errors",
      description: "3.\n4.\n5.\nAnd 5 more.",
      variant: "destructive",
      reference: "r3, r4, r5",
    });
  });

  it("stands still while something holds it, and goes on from there", () => {
    const { queue, success, says } = open();
    success("one");
    jest.advanceTimersByTime(2_000);
    queue.hold("pointer", true);
    queue.hold("hidden page", true);
    jest.advanceTimersByTime(60_000);
    queue.hold("pointer", false);
    jest.advanceTimersByTime(60_000);
    queue.hold("hidden page", false);
    jest.advanceTimersByTime(TOAST_MS - 2_001);
    expect(says()).toBe("one");
    jest.advanceTimersByTime(1);
    expect(says()).toBeNull();
  });

  it("does not wait for the pointer that was on the one before", () => {
    const { queue, success, rest } = open();
    success("one");
    success("two");
    queue.hold("pointer", true);
    queue.hold("focus", true);
    queue.close(queue.read()?.key ?? 0);
    expect(rest()).toEqual(["two"]);
  });

  it("does not show anything in a page nobody sees before it is seen", () => {
    const { queue, success, rest } = open();
    queue.hold("hidden page", true);
    success("one");
    jest.advanceTimersByTime(60_000);
    queue.hold("hidden page", false);
    expect(rest()).toEqual(["one"]);
  });
});
