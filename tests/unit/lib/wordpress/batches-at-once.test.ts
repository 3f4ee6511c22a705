import { type BatchAnswer, createBatchesAtOnce } from "@/lib/wordpress/batches-at-once";

/** A site that so many batches keep busy: more of them take longer, each of them. */
function siteWith(processors: number, most = 6) {
  const batches = createBatchesAtOnce(most);
  /** Milliseconds a write, of each phase. */
  const cost = { create: 4, update: 16 };
  const answer = (phase: keyof typeof cost, { writes = 25, limit = batches.limit(), slower = 1 } = {}): void => {
    const duration = slower * writes * cost[phase] * Math.max(1, limit / processors);
    batches.measure({ phase, writes, duration, limit });
  };
  /** Answers by turns: a creation, a text. */
  const answers = (count: number, options: Parameters<typeof answer>[1] = {}) => {
    for (let n = 0; n < count; n++) answer(n % 2 ? "update" : "create", options);
    return batches.limit();
  };
  return { batches, answer, answers };
}

it.each([
  [1, 2],
  [2, 2],
  [3, 3],
  [4, 4],
])("a site with %i processors gets %i", (processors, expected) => {
  const { answers } = siteWith(processors);
  const seen = Array.from({ length: 8 }, () => answers(6));
  // One more than that is tried, and given up.
  expect(Math.max(...seen)).toBe(expected + 1);
  expect(seen.slice(-3)).toEqual(Array(3).fill(expected));
});

it("never more than the operator allows", () => {
  const { answers } = siteWith(9, 3);
  expect(Math.max(...Array.from({ length: 20 }, () => answers(6)))).toBe(3);
  expect(siteWith(9, 1).answers(60)).toBe(1);
});

it("takes six answers for a try, three of each phase", () => {
  const { answer, answers, batches } = siteWith(4);
  answers(5);
  expect(batches.limit()).toBe(2);
  answers(1);
  // The sixth was a creation again.
  for (let n = 0; n < 5; n++) answer("create");
  expect(batches.limit()).toBe(2);
  answer("update");
  expect(batches.limit()).toBe(3);
});

it("takes six answers of one phase where there is no other, as when posts are updated", () => {
  const { answer, batches } = siteWith(4);
  for (let n = 0; n < 5; n++) answer("update");
  expect(batches.limit()).toBe(2);
  answer("update");
  expect(batches.limit()).toBe(3);
});

it("keeps one more when the site does a tenth more, and not for less", () => {
  const tried = (gain: number) => {
    const { answers, batches } = siteWith(1_000);
    answers(6);
    expect(batches.limit()).toBe(3);
    // Three instead of two are a half more, if each takes no longer.
    answers(6, { slower: 1.5 / gain });
    return batches.limit();
  };
  // Kept, and the next one tried.
  expect([tried(1.09), tried(1.11)]).toEqual([2, 4]);
});

it("tries again after fifty answers, when the site may have become faster", () => {
  const { answers, batches } = siteWith(2);
  answers(12);
  expect(batches.limit()).toBe(2);
  answers(49);
  expect(batches.limit()).toBe(2);
  answers(6);
  expect(batches.limit()).toBe(3);
});

it("judges by the middle of the answers, not by one that took long", () => {
  const { answer, answers, batches } = siteWith(4);
  answers(6);
  answer("create", { slower: 20 });
  answer("update", { slower: 20 });
  answers(4);
  expect(batches.limit()).toBe(4);
});

it("counts nothing that was sent under another limit", () => {
  const { answers, batches } = siteWith(2);
  answers(6);
  // Those under way when the third was let in.
  answers(6, { limit: 2 });
  expect(batches.limit()).toBe(3);
});

it("compares batches of about the same size only", () => {
  const { answers, batches } = siteWith(2);
  // Small ones are slower for each write: the full ones that follow would look like a gain.
  for (const writes of [5, 10, 20]) expect(answers(4, { writes })).toBe(2);
  answers(6);
  expect(batches.limit()).toBe(3);
  // Full ones are compared with full ones; with others it goes back, and tries again at once.
  answers(6, { writes: 12 });
  expect(batches.limit()).toBe(2);
  answers(6, { writes: 13 });
  expect(batches.limit()).toBe(3);
});

/** Batches that are answered by the test, in the order in which they were sent. */
function underWay(most: number) {
  const batches = createBatchesAtOnce(most);
  const sent: number[] = [];
  const answers: (() => void)[] = [];
  for (const n of [1, 2, 3, 4]) {
    void batches.run(() => {
      sent.push(n);
      return new Promise<void>((answer) => answers.push(answer));
    });
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { batches, sent, answers, settle };
}

it("sends the next one when one was answered, in order", async () => {
  const { sent, answers, settle } = underWay(2);
  await settle();
  expect(sent).toEqual([1, 2]);
  for (const seen of [
    [1, 2, 3],
    [1, 2, 3, 4],
  ]) {
    answers.shift()?.();
    await settle();
    expect(sent).toEqual(seen);
  }
});

it("sends what waits when there is room for one more", async () => {
  const { batches, sent, settle } = underWay(3);
  const fast: BatchAnswer = { phase: "create", writes: 25, duration: 10, limit: 2 };
  for (let n = 0; n < 6; n++) batches.measure(fast);
  await settle();
  expect(sent).toEqual([1, 2, 3]);
});
