import type { Reviewed } from "@/lib/features/content/seo/material";
import { reviewOf } from "@/lib/features/content/seo/review";

const MAX = 500_000;
const long = (unit: string) => unit.repeat(Math.ceil(MAX / unit.length)).slice(0, MAX);

const ABOUT = {
  title: "Rain gardens",
  outline: null,
  slug: null,
  metaTitle: null,
  metaDescription: null,
  focusKeyword: "rain garden",
  language: "English",
  site: null,
  others: [],
};

it.each([
  ["one word", long("a")],
  ["words without an end", long("rain garden ")],
  ["sentences", long("The rain was held back by the garden, because it is deep. ")],
  ["paragraphs", long("Rain garden.\n\n")],
  ["marks of sources", long("[source needed: ")],
  ["finished marks of sources", long("[source needed: a] ")],
  ["headings", long("## \n\n")],
  ["links", long("[a](b) ")],
  ["pictures", long("![](https://a.example/b.png) ")],
  ["open brackets", long("[")],
  ["stars", long("*a ")],
  ["quotes", long("> > > a\n")],
  ["a table of many columns", `${"| a ".repeat(316)}|\n${"| - ".repeat(316)}|\n${"| b ".repeat(316)}|`],
  ["emoji", long("👩‍👩‍👧 ")],
  ["a script without spaces", long("朝は畑の土を見てから水をやる")],
  ["a script from right to left", long("حديقة المطر ")],
  ["combining marks", long("à́̂ ")],
  ["apostrophes", long("don’t ")],
  ["commas", long("was, ")],
  ["hyphens", long("well-being-")],
  ["HTML", long("<div><p>a</p></div>\n")],
  ["dots", long(". ")],
])("judges %s of 500 KB within ten seconds, or says why not", (_what, body) => {
  const begun = performance.now();
  const review = reviewOf({ ...ABOUT, body });
  expect(performance.now() - begun).toBeLessThan(10_000);
  if ("problem" in review) expect(review.problem).toMatch(/^This text/);
  else expect(review.report.score).toBeGreaterThanOrEqual(0);
});

it("takes about as much longer for a paragraph as it is longer", () => {
  const timeOf = (length: number) => {
    const body = long("The rain was held back by the garden, because it is deep. ").slice(0, length);
    const begun = performance.now();
    reviewOf({ ...ABOUT, body });
    return performance.now() - begun;
  };
  timeOf(50_000);
  // Five times as long; twenty-five times if it grew with the square.
  expect(timeOf(500_000)).toBeLessThan(15 * timeOf(100_000));
});

it("judges fields that no person writes", () => {
  const fields: Partial<Reviewed>[] = [
    { metaDescription: "a ".repeat(5_000) },
    { slug: "../" },
    { focusKeyword: "👩‍👩‍👧" },
    { focusKeyword: "…" },
    { focusKeyword: "(".repeat(200) },
    { title: "", metaTitle: "\u202Eabc" },
    { site: "not a host" },
  ];
  for (const each of fields) expect(reviewOf({ ...ABOUT, body: "Rain.", ...each })).toHaveProperty("report.score");
});

it("judges 2,000 words in 50 ms", () => {
  const body = long("The rain was held back by the garden, because it is deep. ")
    .slice(0, 10_400)
    .replace(/(.{500}) /g, "$1\n\n## Rain\n\n");
  reviewOf({ ...ABOUT, body });
  const times = Array.from({ length: 9 }, () => {
    const begun = performance.now();
    reviewOf({ ...ABOUT, body });
    return performance.now() - begun;
  }).sort((a, b) => a - b);
  // A slow machine takes several times as long.
  expect(times[4]).toBeLessThan(250);
});
