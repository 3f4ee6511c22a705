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
  /** All messages shown from here on, each for its full time. */
  function rest(): (string | null)[] {
    const all: (string | null)[] = [];
    for (let message = says(); message !== null; message = says()) {
      all.push(message);
      jest.advanceTimersByTime(TOAST_MS - 1);
      expect(says()).toBe(message);
      jest.advanceTimersByTime(1);
    }
    return all;
  }
  return { queue, success, error, says, rest };
}

describe("the toast queue", () => {
  it("shows each toast in turn, for its full time", () => {
    const { success, error, rest } = open();
    success("one");
    error("two");
    success("three");
    expect(rest()).toEqual(["one", "two", "three"]);
  });

  it("shows a toast for its own duration", () => {
    const { success, says } = open();
    success("queued", { durationMs: 5_000 });
    jest.advanceTimersByTime(4_999);
    expect(says()).toBe("queued");
    jest.advanceTimersByTime(1);
    expect(says()).toBeNull();
  });

  it("starts the time of a toast when it is visible", () => {
    const queue = createToastQueue();
    queue.add({ title: "Saved" });
    jest.advanceTimersByTime(60_000);
    const { key = 0 } = queue.read() ?? {};
    queue.begin(key);
    jest.advanceTimersByTime(TOAST_MS - 1);
    expect(queue.read()).toMatchObject({ isLeaving: false });
  });

  it("continues when the end of a leave animation is never reported", () => {
    const queue = createToastQueue();
    queue.add({ title: "First" });
    queue.add({ title: "Second" });
    queue.close(queue.read()?.key ?? 0);
    jest.advanceTimersByTime(1_000);
    expect(queue.read()?.input.title).toBe("Second");
  });

  it("shows a toast that came while the one of its subject was leaving", () => {
    const queue = createToastQueue();
    queue.add({ title: "Error", subject: "piece:1" });
    const { key = 0 } = queue.read() ?? {};
    queue.close(key);
    queue.add({ title: "Success", subject: "piece:1" });
    expect(queue.read()).toMatchObject({ key, isLeaving: true, input: { title: "Error" } });
    queue.gone(key);
    expect(queue.read()).toMatchObject({ isLeaving: false, input: { title: "Success" } });
  });

  it("replaces the older toast of a subject in its place", () => {
    const { success, error, rest } = open();
    success("shown");
    error("not saved", { subject: "piece:1" });
    success("other");
    success("saved", { subject: "piece:1" });
    expect(rest()).toEqual(["shown", "saved", "other"]);
  });

  it("shows repeated messages once, and again after others", () => {
    const { success, rest } = open();
    success("added");
    success("added");
    success("deleted");
    success("deleted");
    success("added");
    expect(rest()).toEqual(["added", "deleted", "added"]);
  });

  it("keeps a message about several subjects until each has a newer one", () => {
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

  it("withdraws what is no longer true", () => {
    const { queue, success, error, rest } = open();
    error("not sent", { subject: "chat" });
    success("saved");
    error("not sent", { subject: "chat" });
    queue.withdraw("chat");
    expect(rest()).toEqual(["saved"]);
  });

  it("is empty after it is cleared", () => {
    const { queue, success, rest } = open();
    success("one");
    success("two");
    queue.clear();
    expect(rest()).toEqual([]);
  });

  it("queues three at most: the oldest success goes, never an error or the newest", () => {
    const { success, error, rest } = open();
    for (const each of ["1", "2", "3"]) success(each);
    error("broken");
    for (const each of ["4", "5", "6"]) success(each);
    expect(rest()).toEqual(["1", "broken", "5", "6"]);
  });

  it("merges errors when more than three would be queued", () => {
    const { queue, error, success, rest } = open();
    for (const each of ["a", "b", "c", "d", "d"]) error(each);
    queue.add({ title: "Connection Error", description: "e", variant: "destructive", reference: "1a2b3c4d" });
    success("saved");
    expect(rest()).toEqual(["a", "b", "c\nd\nConnection Error: e", "saved"]);
  });

  it("shows the number of merged errors, and the first three", () => {
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

  it("merges the last two errors, wherever a success stands, and leaves one more line as it is", () => {
    const { queue, error, success, rest } = open();
    success("shown");
    for (const each of ["a", "b", "c", "d"]) error(each);
    expect(queue.read()?.input.description).toBe("shown");
    expect(rest()).toEqual(["shown", "a", "b", "c\nd"]);
    success("shown");
    for (const each of ["a", "b", "c"]) error(each);
    success("newest");
    expect(rest()).toEqual(["shown", "a", "b\nc", "newest"]);
  });

  it("counts only the errors that it leaves out", () => {
    const shownOf = (count: number) => {
      const { queue, error } = open();
      queue.add({ title: "Shown" });
      error("other");
      error("another");
      for (let each = 0; each < count; each++) error(`${each}.`);
      for (let shown = 0; shown < 3; shown++) queue.close(queue.read()?.key ?? 0);
      return queue.read()?.input;
    };
    expect(shownOf(3)).toEqual({ title: "3 errors", description: "0.\n1.\n2.", variant: "destructive" });
    expect(shownOf(4)?.description).toBe("0.\n1.\n2.\nAnd 1 more.");
  });

  it("keeps the button of merged errors that all have it", () => {
    const way = { label: "Go to Settings", href: "/settings" };
    const actionOf = (...actions: (typeof way | undefined)[]) => {
      const { queue, error } = open();
      queue.add({ title: "Shown" });
      error("other");
      error("another");
      for (const [at, action] of actions.entries()) error(`${at}.`, { action });
      for (let shown = 0; shown < 3; shown++) queue.close(queue.read()?.key ?? 0);
      return queue.read()?.input.action;
    };
    expect(actionOf(way, way)).toEqual(way);
    expect(actionOf(way, undefined)).toBeUndefined();
    expect(actionOf(undefined, way)).toBeUndefined();
    expect(actionOf(way, { ...way, label: "Elsewhere" })).toBeUndefined();
  });

  it("says an error by its title where it has nothing more to say, or another title", () => {
    const { queue, error, rest } = open();
    for (const each of ["a", "b", "c"]) error(each);
    queue.add({ title: "No site", variant: "destructive" });
    error("Broken.", { title: "Connection Error" });
    expect(rest()).toEqual(["a", "b", "c", "No site\nConnection Error: Broken."]);
  });

  it.each([
    { title: "Other", description: "same" },
    { title: "Success", description: "other" },
    { title: "Success", description: "same", variant: "destructive" as const },
  ])("shows a message that differs in one thing: %j", (other) => {
    const { queue, success, rest } = open();
    success("same");
    queue.add(other);
    expect(rest()).toEqual(["same", other.description]);
  });

  it("starts its time again when the message changes, and not for another that is waiting", () => {
    const { success, error, says } = open();
    error("not saved", { subject: "piece:1" });
    jest.advanceTimersByTime(5_000);
    success("other");
    success("saved", { subject: "piece:1" });
    jest.advanceTimersByTime(5_999);
    expect(says()).toBe("saved");
    jest.advanceTimersByTime(1);
    expect(says()).toBe("other");
    jest.advanceTimersByTime(5_000);
    success("third");
    jest.advanceTimersByTime(1_000);
    expect(says()).toBe("third");
  });

  it("leaves for a second at most, and is gone once", () => {
    const queue = createToastQueue();
    queue.add({ title: "First" });
    queue.add({ title: "Second" });
    queue.add({ title: "Third" });
    const { key = 0 } = queue.read() ?? {};
    queue.close(key + 1);
    expect(queue.read()).toMatchObject({ isLeaving: false });
    queue.close(key);
    jest.advanceTimersByTime(999);
    expect(queue.read()).toMatchObject({ isLeaving: true, input: { title: "First" } });
    queue.begin(key);
    queue.gone(key);
    queue.gone(key);
    jest.advanceTimersByTime(TOAST_MS + 1_000);
    expect(queue.read()).toMatchObject({ isLeaving: false, input: { title: "Second" } });
  });

  it("tells its listeners of each change, until they stop", () => {
    const queue = createToastQueue();
    const listener = jest.fn();
    const stop = queue.subscribe(listener);
    queue.add({ title: "Shown", subject: "a" });
    expect(listener).toHaveBeenCalled();
    listener.mockClear();
    queue.add({ title: "Changed", subject: "a" });
    expect(listener).toHaveBeenCalledTimes(1);
    expect(queue.read()?.input.title).toBe("Changed");
    stop();
    queue.withdraw("a");
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("keeps what is shown when something else is withdrawn", () => {
    const { queue, success, rest } = open();
    success("shown", { subject: "a" });
    success("waiting", { subject: "b" });
    queue.withdraw("c");
    queue.withdraw("b");
    expect(rest()).toEqual(["shown"]);
    queue.withdraw("a");
    expect(queue.read()).toBeNull();
  });

  it("pauses while it is held, and resumes from there", () => {
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

  it("ignores a pointer that was on the toast before", () => {
    const { queue, success, rest } = open();
    success("one");
    success("two");
    queue.hold("pointer", true);
    queue.hold("focus", true);
    queue.close(queue.read()?.key ?? 0);
    expect(rest()).toEqual(["two"]);
  });

  it("waits until a hidden page is visible", () => {
    const { queue, success, rest } = open();
    queue.hold("hidden page", true);
    success("one");
    jest.advanceTimersByTime(60_000);
    queue.hold("hidden page", false);
    expect(rest()).toEqual(["one"]);
  });
});
