import {
  editFewerPieces,
  editKeywordCount,
  editKeywords,
  editLibraryCounts,
  editPieces,
  editTopics,
  removeById,
  updateById,
} from "@/lib/client/list-edits";
import type { Edit } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";

const applied = (edit: Edit | undefined, data: unknown, filters = {}) =>
  edit?.apply(data as never, [...edit.queryKey, filters]);

const PLACE = { projectId: 3, topicId: 7 };
type Piece = { id: string; topicId: number; title: string };
const pieces: Piece[] = [
  { id: "a", topicId: 7, title: "A" },
  { id: "b", topicId: 7, title: "B" },
];

describe("an edit of pieces", () => {
  it("covers every list that shows them", () => {
    const edits = editPieces<Piece>(PLACE, removeById<Piece>("a"));
    expect(edits.map(({ queryKey }) => queryKey)).toEqual([
      keys.topicContent(3, 7),
      keys.projectContent(3),
      keys.allLibrary(),
    ]);
  });

  it("changes a plain list and each page of a paged list, and nothing else", () => {
    const [edit] = editPieces<Piece>(PLACE, updateById<Piece>("b", { title: "New" }));
    const changed = [pieces[0], { id: "b", topicId: 7, title: "New" }];
    expect(applied(edit, pieces)).toEqual(changed);
    expect(applied(edit, { pageParams: [1], pages: [{ items: pieces, next: "/2" }] })).toEqual({
      pageParams: [1],
      pages: [{ items: changed, next: "/2" }],
    });
  });

  it("removes one piece and keeps the others", () => {
    expect(removeById<Piece>("a")(pieces)).toEqual([pieces[1]]);
  });
});

describe("the library's counts", () => {
  const other = { projectId: 4, title: "Other", count: 5, topics: [{ topicId: 8, name: "Else", count: 5 }] };
  const group = (counts: number[]) => ({
    projectId: 3,
    title: "Garden",
    count: counts.reduce((sum, count) => sum + count, 0),
    topics: counts.map((count, at) => ({ topicId: 7 + 10 * at, name: "Seeds", count })),
  });

  it.each<[number | "all", number[], number[]]>([
    [1, [2], [1]],
    [2, [3, 1], [1, 1]],
    ["all", [3, 1], [0, 1]],
    [1, [1, 2], [0, 2]],
  ])("drop by %s in the topic, whose project stays while it has pieces: %j", (removed, before, after) => {
    const left = group(after);
    const shown = { ...left, topics: left.topics.filter(({ count }) => count > 0) };
    expect(applied(editLibraryCounts(7, removed), [group(before), other])).toEqual([shown, other]);
  });

  it.each<[number | "all"]>([[2], ["all"]])("omit a project without pieces: %s", (removed) => {
    expect(applied(editLibraryCounts(7, removed), [group([2]), other])).toEqual([other]);
  });

  it("change only under filters that include the piece", () => {
    const edit = editLibraryCounts<{ status?: string }>(7, 1, ({ status }) => status !== "review");
    expect(edit.queryKey).toEqual(keys.allLibraryGroups());
    expect(applied(edit, [group([2])], { status: "draft" })).toEqual([group([1])]);
    expect(applied(edit, [group([2])], { status: "review" })).toEqual([group([2])]);
    expect(edit.apply([group([2])] as never, keys.allLibraryGroups())).toEqual([group([1])]);
  });
});

describe("a topic's counts", () => {
  const topics = [
    { id: 7, name: "Seeds", keywordCount: 1, contentCount: 2, steps: { idea: 2, text: 0 } },
    { id: 8, name: "Soil", keywordCount: 1, contentCount: 2, steps: { idea: 1, text: 1 } },
  ];
  const [seeds, soil] = topics;

  it("of keywords goes up and down by one, but not below zero", () => {
    const [more, fewer] = [editKeywordCount(PLACE, 1), editKeywordCount(PLACE, -1)];
    expect(more.queryKey).toEqual(keys.topics(3));
    expect(applied(more, topics)).toEqual([{ ...seeds, keywordCount: 2 }, soil]);
    expect(applied(fewer, topics)).toEqual([{ ...seeds, keywordCount: 0 }, soil]);
    expect(applied(fewer, applied(fewer, topics))).toEqual([{ ...seeds, keywordCount: 0 }, soil]);
  });

  it("of pieces and of the step that one had reached go down together, but not below zero", () => {
    expect(applied(editFewerPieces(PLACE, "idea"), topics)).toEqual([
      { ...seeds, contentCount: 1, steps: { idea: 1, text: 0 } },
      soil,
    ]);
    expect(applied(editFewerPieces(PLACE, "text"), topics)).toMatchObject([{ steps: { idea: 2, text: 0 } }, soil]);
  });
});

it("edits topics and keywords in the lists that show them", () => {
  expect(editTopics(3, (topics) => topics).queryKey).toEqual(keys.topics(3));
  expect(editKeywords(7, (keywords) => keywords).queryKey).toEqual(keys.keywords(7));
});
