import {
  IDEAS_BUDGET_MS,
  joinSections,
  ledSection,
  MAX_CONCURRENT_IDEAS,
  MAX_NEIGHBOUR_TITLES,
  MAX_SECTIONS,
  nearNote,
  SUGGESTED_KEYWORDS,
  stockPhraseNote,
  TARGET_WORDS,
} from "@/lib/features/generation/rules";
import {
  generateIdeasOut,
  IDEAS_DEFAULT,
  IDEAS_MAX,
  IDEAS_MIN,
  ideasForm,
  MAX_KEYWORDS_PER_IDEAS,
} from "@/lib/features/generation/schema";
import { aPiece } from "@/tests/support/pieces";

it("keeps the documented limits of generation", () => {
  const bounds = {
    ...{ TARGET_WORDS, MAX_SECTIONS, SUGGESTED_KEYWORDS, MAX_NEIGHBOUR_TITLES },
    ...{ MAX_CONCURRENT_IDEAS, IDEAS_BUDGET_MS, IDEAS_MIN, IDEAS_MAX, IDEAS_DEFAULT, MAX_KEYWORDS_PER_IDEAS },
  };
  expect(bounds).toEqual({
    TARGET_WORDS: 1_400,
    MAX_SECTIONS: 100,
    SUGGESTED_KEYWORDS: 10,
    MAX_NEIGHBOUR_TITLES: 30,
    MAX_CONCURRENT_IDEAS: 4,
    IDEAS_BUDGET_MS: 55_000,
    IDEAS_MIN: 1,
    IDEAS_MAX: 10,
    IDEAS_DEFAULT: 3,
    MAX_KEYWORDS_PER_IDEAS: 20,
  });
});

it("joins sections under their headings, and text without a heading as it is", () => {
  const sections = [
    { heading: "", text: " First. \n" },
    { heading: "Water", text: "\nFrom below.\n" },
  ];
  expect(joinSections(sections)).toBe("First.\n\n## Water\n\nFrom below.");
});

it("puts a lead before the first heading", () => {
  const sections = [
    ledSection("Light", { lead: "Two things matter.", text: "By a window." }),
    ledSection("Water", { lead: "", text: "From below." }),
  ];
  expect(sections[1]).toEqual({ heading: "Water", text: "From below." });
  expect(joinSections(sections)).toBe("Two things matter.\n\n## Light\n\nBy a window.\n\n## Water\n\nFrom below.");
});

it("names up to ten titles that are close to another, and counts the rest", () => {
  expect(nearNote("title", [])).toBeNull();
  expect(nearNote("keyword", ["pots for seeds", "c"])).toBe("Close to another keyword: “pots for seeds”, “c”.");
  const note = nearNote(
    "title",
    Array.from({ length: 12 }, (_, at) => `t${at}`),
  );
  expect(note).toMatch(/^Close to another title: “t0”, .*“t9”, and 2 more\.$/);
});

it("names up to five stock phrases, and says nothing when there are none", () => {
  const [a, b, c, d, e] = ["“a”", "“b”", "“c”", "“d”", "“e”"];
  expect(stockPhraseNote([])).toBeNull();
  expect(stockPhraseNote(["a"])).toBe(`Some stock phrases may read better rewritten: ${a}.`);
  expect(stockPhraseNote(["a", "b", "c", "d", "e", "f"])).toBe(
    `Some stock phrases may read better rewritten: ${a}, ${b}, ${c}, ${d}, ${e}.`,
  );
});

it("requires a topic in the ideas form", () => {
  expect(ideasForm.safeParse({ topicId: "7", ideasPerKeyword: "10" }).success).toBe(true);
  expect(ideasForm.safeParse({ topicId: "", ideasPerKeyword: "10" }).success).toBe(false);
});

it("returns ideas without their texts, which do not exist yet", () => {
  const { body: _body, outline: _outline, ...idea } = aPiece();
  const answer = generateIdeasOut.parse({ message: "Done.", contentIdeas: [aPiece()] });
  expect(answer).toEqual({ message: "Done.", contentIdeas: [idea] });
});
