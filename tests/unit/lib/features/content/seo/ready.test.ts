import type { Reviewed } from "@/lib/features/content/seo/material";
import { reviewOf } from "@/lib/features/content/seo/review";

const PIECE: Reviewed = {
  title: "Rain gardens",
  body: "Dig where the water is, and plant what likes wet feet.",
  outline: null,
  slug: null,
  metaTitle: null,
  metaDescription: "Where to dig.",
  focusKeyword: null,
  language: null,
  site: "example.com",
  others: [],
};

function findingsOf(parts: Partial<Reviewed>) {
  const review = reviewOf({ ...PIECE, ...parts });
  if ("problem" in review) throw new Error(review.problem);
  return review.findings;
}
const kindsOf = (parts: Partial<Reviewed>) => findingsOf(parts).map(({ kind }) => kind);

it("finds nothing in a finished piece, and nothing in one without a text", () => {
  expect(findingsOf({})).toEqual([]);
  expect(findingsOf({ body: " ", metaDescription: null, title: "" })).toEqual([]);
});

it("marks each claim that needs a source, with its place", () => {
  const body = "Half runs off [source needed: half of it], and [Source needed] more.";
  const [first, second, ...others] = findingsOf({ body });
  expect(first).toMatchObject({ sentence: "A claim needs a source: half of it.", holds: true });
  expect(body.slice(first?.place?.from, first?.place?.to)).toBe("[source needed: half of it]");
  expect(second).toMatchObject({ sentence: "A claim needs a source.", holds: true });
  expect(others).toEqual([]);
});

it.each([
  ["an empty heading", "Rain.\n\n## \n\nMore.", "emptyHeading", true],
  ["a link without an address", "See [the plan]() first.", "link", false],
  ["an address that lacks its scheme", "See [the plan](www.example.org/plan) first.", "link", false],
  ["an address without a host", "See [the plan](https://plan) first.", "link", false],
  ["a picture without an alternative text", "![](https://example.org/a.png)", "alternative", false],
  ["something that will not appear", "Rain <!-- and snow --> falls.", "loss", false],
  ["a heading at the end", "Rain falls.\n\n## Snow", "end", false],
  [
    "a last paragraph that breaks off",
    "The water of the roof runs into the bed and stays there until the plants have",
    "end",
    false,
  ],
])("finds %s", (_what, body, kind, holds) => {
  expect(findingsOf({ body })).toMatchObject([{ kind, holds }]);
});

it("says nothing of an ending that is whole", () => {
  for (const body of [
    "Read on:\n\n- one\n- two",
    "Ana Weber, Jena",
    "她在院子里种了很多花，每天早上都要浇水。",
    "Is this the end of it, or does it go on for a while yet?",
  ])
    expect(kindsOf({ body })).toEqual([]);
});

it("names the sections of the outline that the text does not have", () => {
  const outline = "## Where to dig\n\n- near the roof\n\n## Planting sedges\n\n## Costs of the soil test";
  const body = "## Digging: where?\n\nDig where the water is.\n\n## Plants\n\nPlant sedges first.";
  expect(findingsOf({ outline, body }).map(({ sentence }) => sentence)).toEqual([
    "The outline has “Costs of the soil test”, and the text does not.",
  ]);
});

it("says that the text is in another language than the project's, and is silent when unsure", () => {
  expect(findingsOf({ language: "German" })).toMatchObject([
    { kind: "language", sentence: "The text is in English, and the project's language is German." },
  ]);
  expect(kindsOf({ language: "Klingon" })).toEqual([]);
  expect(kindsOf({ language: "German", body: "Iris, Segge, Farn." })).toEqual([]);
});

it("finds a missing meta description, and others with the same title or focus keyword", () => {
  const others = [
    { title: "RAIN GARDENS", focusKeyword: null },
    { title: "In clay", focusKeyword: "gardens rain" },
  ];
  expect(kindsOf({ metaDescription: null, focusKeyword: "rain garden", others })).toEqual([
    "description",
    "sameTitle",
    "sameKeyword",
  ]);
});

it("shows a search engine the stripped text where there is no meta description", () => {
  const review = reviewOf({ ...PIECE, metaDescription: null, body: "# Rain\n\nDig **here**, [not there](/x)." });
  expect(review).toMatchObject({ shown: { title: "Rain gardens", description: "Dig here, not there." } });
});
