import { libraryItems, type TopicRows } from "@/components/content/library-items";
import type { ContentGroup } from "@/lib/features/content/schema";
import { aSummary } from "@/tests/support/pieces";

const GROUPS: ContentGroup[] = [
  {
    projectId: 3,
    title: "Spring",
    count: 132,
    topics: [
      { topicId: 7, name: "Seeds", count: 130 },
      { topicId: 8, name: "Beds", count: 2 },
    ],
  },
  { projectId: 5, title: "Autumn", count: 1, topics: [{ topicId: 9, name: "Leaves", count: 1 }] },
];

const lines = (open: number[], rows: Record<number, TopicRows>) =>
  libraryItems(
    GROUPS,
    (id) => open.includes(id),
    ({ topicId }) => rows[topicId],
  );
const kinds = (items: ReturnType<typeof lines>) => items.map(({ kind }) => kind);
const pieces = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => aSummary({ id: `${prefix}${at}` }));

it("has a line for each project, and more only for open ones", () => {
  expect(kinds(lines([], {}))).toEqual(["project", "project"]);
  expect(kinds(lines([5], {}))).toEqual(["project", "project", "topic", "placeholder"]);
});

it("has placeholders only for the rows that load next", () => {
  expect(lines([3], {}).filter(({ kind }) => kind === "placeholder")).toHaveLength(50 + 2);
  const some = { 7: { pieces: pieces(100, "a"), hasMore: true, hasFailed: false } };
  const items = lines([3], some);
  expect(items.filter(({ kind }) => kind === "row")).toHaveLength(100);
  expect(items.filter(({ kind }) => kind === "placeholder")).toHaveLength(30 + 2);
});

it("marks the last line of each topic and each project", () => {
  const loaded = (count: number, prefix: string) => ({
    pieces: pieces(count, prefix),
    hasMore: false,
    hasFailed: false,
  });
  const items = lines([3], { 7: loaded(2, "a"), 8: loaded(1, "b") });
  const ends = items.flatMap((item) => (item.kind === "row" ? [[item.endsTopic, item.endsProject]] : []));
  expect(ends).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

it("shows a failure after the loaded rows when the next ones do not load", () => {
  const items = lines([5], { 9: { pieces: [], hasMore: true, hasFailed: true } });
  expect(kinds(items)).toEqual(["project", "project", "topic", "failure"]);
});

it("has a placeholder for the next rows even when the count says there are none", () => {
  const items = lines([5], { 9: { pieces: pieces(1, "a"), hasMore: true, hasFailed: false } });
  expect(kinds(items)).toEqual(["project", "project", "topic", "row", "placeholder"]);
});

it("gives every line a key of its own", () => {
  const keys = lines([3, 5], { 7: { pieces: pieces(50, "a"), hasMore: true, hasFailed: false } }).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

it("suggests a topic's next step, outlines then texts, by what its pieces lack", () => {
  const bare = aSummary({ id: "bare", isOutline: false, hasBody: false });
  const outlined = aSummary({ id: "outlined", isOutline: true, hasBody: false });
  const written = aSummary({ id: "written", isOutline: false, hasBody: true });
  const next = (...loaded: (typeof bare)[]) => {
    const items = lines([5], { 9: { pieces: loaded, hasMore: false, hasFailed: false } });
    return items.flatMap((item) => (item.kind === "topic" ? [item.next] : []))[0];
  };
  expect(next()).toBe("outlines");
  expect(next(bare, outlined)).toBe("outlines");
  expect(next(outlined, written)).toBe("content");
  expect(next(written)).toBe("outlines");
});
