import {
  IDEAS_AT_ONCE,
  IDEAS_BUDGET_MS,
  joinSections,
  MAX_SECTIONS,
  NEIGHBOUR_TITLES,
  newTitles,
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

it("asks the provider for no more than people were told", () => {
  const bounds = {
    ...{ TARGET_WORDS, MAX_SECTIONS, SUGGESTED_KEYWORDS, NEIGHBOUR_TITLES },
    ...{ IDEAS_AT_ONCE, IDEAS_BUDGET_MS, IDEAS_MIN, IDEAS_MAX, IDEAS_DEFAULT, MAX_KEYWORDS_PER_IDEAS },
  };
  expect(bounds).toEqual({
    TARGET_WORDS: 1_400,
    MAX_SECTIONS: 100,
    SUGGESTED_KEYWORDS: 10,
    NEIGHBOUR_TITLES: 30,
    IDEAS_AT_ONCE: 4,
    IDEAS_BUDGET_MS: 55_000,
    IDEAS_MIN: 1,
    IDEAS_MAX: 10,
    IDEAS_DEFAULT: 3,
    MAX_KEYWORDS_PER_IDEAS: 20,
  });
});

it("joins sections under their headings, and the text of an outline without any as it is", () => {
  const sections = [
    { heading: "", text: " First. \n" },
    { heading: "Water", text: "\nFrom below.\n" },
  ];
  expect(joinSections(sections)).toBe("First.\n\n## Water\n\nFrom below.");
});

it("takes a title once, and none that is no more than punctuation", () => {
  const had = new Set<string>();
  const titles = (all: string[]) =>
    newTitles(
      all.map((title) => ({ title })),
      had,
    ).map(({ title }) => title);
  expect(titles(["Prune trees", "?!", "Trees: prune!", "Water trees"])).toEqual(["Prune trees", "Water trees"]);
  expect(titles(["water TREES", "Feed trees"])).toEqual(["Feed trees"]);
});

it("names the first five stock phrases, one alone too, and has no word about none", () => {
  const [a, b, c, d, e] = ["“a”", "“b”", "“c”", "“d”", "“e”"];
  expect(stockPhraseNote([])).toBeNull();
  expect(stockPhraseNote(["a"])).toBe(`Some stock phrases may read better rewritten: ${a}.`);
  expect(stockPhraseNote(["a", "b", "c", "d", "e", "f"])).toBe(
    `Some stock phrases may read better rewritten: ${a}, ${b}, ${c}, ${d}, ${e}.`,
  );
});

it("asks for a topic in the form", () => {
  expect(ideasForm.safeParse({ topicId: "7", ideasPerKeyword: "10" }).success).toBe(true);
  expect(ideasForm.safeParse({ topicId: "", ideasPerKeyword: "10" }).success).toBe(false);
});

it("answers ideas without their texts, which are none yet", () => {
  const { body: _body, outline: _outline, ...idea } = aPiece();
  const answer = generateIdeasOut.parse({ message: "Done.", contentIdeas: [aPiece()] });
  expect(answer).toEqual({ message: "Done.", contentIdeas: [idea] });
});
