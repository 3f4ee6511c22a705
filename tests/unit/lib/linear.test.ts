import { finishAnswer } from "@/lib/ai/answer";
import { ideasPrompt } from "@/lib/ai/prompts/ideas";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import {
  cleanSection,
  lastWords,
  lengthInWords,
  plainHeading,
  readLines,
  withoutOuterFence,
} from "@/lib/ai/prompts/markdown";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { parseOutlineSections, wordBudgets } from "@/lib/ai/prompts/outline-sections";
import { sectionPrompt } from "@/lib/ai/prompts/section";
import { fenced } from "@/lib/ai/prompts/shared";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { readJson } from "@/lib/ai/read-json";
import { normalizeSiteUrl } from "@/lib/features/account/rules";
import { fileStem } from "@/lib/features/archive/rules";
import { outlineFigures, snippet, titleDensity } from "@/lib/features/content/rules";
import { permalinkSlug } from "@/lib/features/publishing/rules";
import { complexityProblem } from "@/lib/markdown/complexity";
import { homeAddress, homeOf, isSameSite } from "@/lib/utils/site-address";
import { countWords, fingerprint, isBlank, keywordKey, storable } from "@/lib/utils/text";
import { discoverSite } from "@/lib/wordpress/discover";
import { decodeEntities, encodeEntities, plainSentence } from "@/lib/wordpress/entities";
import { readJson as readSiteJson } from "@/lib/wordpress/json";
import { persona, piece, project, topic } from "@/tests/unit/lib/ai/inputs";

const section = (text: string) => ({
  ...piece,
  outline: text,
  heading: "A",
  headingIndex: 0,
  headingCount: 1,
  brief: "",
  textSoFar: text,
  wordBudget: 100,
});
const ideas = ideasPrompt({ project, topic, persona, keyword: "basil", count: 1, existingTitles: [] });
const keywords = keywordsPrompt({ project, topic, persona, existing: [], count: 1 });
const SITE = "https://a.example/";

/** What reads a person's, a provider's or a site's text on the request's thread. */
const READERS: Record<string, (text: string) => unknown> = {
  withoutOuterFence,
  readLines,
  plainHeading,
  "cleanSection's text": (text) => cleanSection(text, "A"),
  "cleanSection's heading": (text) => cleanSection("**B**\n\nText.", text),
  lengthInWords,
  lastWords: (text) => lastWords(text, 10),
  parseOutlineSections: (outline) => parseOutlineSections(outline.slice(0, OUTLINE_BOUND)),
  wordBudgets: (text) => wordBudgets([{ heading: "", level: 0, brief: text, subheadings: [] }], 100),
  "an outline that came": (text) => outlinePrompt(piece).read(text),
  "a section that came": (text) => sectionPrompt(section("")).read(text),
  "the text so far": (text) => sectionPrompt(section(text)).read("Some words."),
  "ideas that came": (title) =>
    ideas.read(JSON.stringify({ ideas: [{ title, angle: title, intent: "informational" }] })),
  "ideas as they came": (text) => ideas.read(text),
  "keywords that came": (keyword) =>
    keywords.read(JSON.stringify({ keywords: [{ keyword, intent: "informational" }] })),
  fenced: (text) => fenced("outline", text),
  findStockPhrases,
  readJson,
  finishAnswer: (text) => finishAnswer({ text, finish: "stop" }, { allowEmpty: true }),
  complexityProblem,
  countWords,
  fingerprint,
  isBlank,
  keywordKey,
  storable,
  outlineFigures,
  snippet,
  titleDensity: (text) => titleDensity(text.slice(0, 300), text),
  permalinkSlug,
  fileStem: (text) => fileStem(text, 1),
  decodeEntities,
  encodeEntities,
  plainSentence,
  readSiteJson,
  isSameSite: (text) => isSameSite(`${SITE}${text}`, SITE),
  homeAddress: (text) => homeAddress(`${SITE}${text}`),
  homeOf: (text) => homeOf(`${SITE}${text}`),
  normalizeSiteUrl: (text) => normalizeSiteUrl(`${SITE}${text}`),
};

const UNITS = [
  ...[
    " ",
    "\n",
    "\t",
    "\r",
    "\r\n",
    "\u2028",
    "\u00a0",
    "a",
    "a ",
    "a\n",
    "a\r",
    "a\u2028",
    "a\t\n",
    "ä",
    "漢",
    "1",
    "1. ",
    "1. a\n",
  ],
  ...[
    "`",
    "```\n",
    "``` ",
    "~~~\n",
    "#",
    "# ",
    "# a\n",
    "## a\n",
    "#\t",
    "*",
    "**",
    "** ",
    "* ",
    "_",
    "__",
    "**a**\n",
    "*a*\n",
  ],
  ...[
    "-",
    "- ",
    "- a\n",
    "-\n",
    "---\n",
    "---\n \n",
    "\n---",
    "=",
    "=\n",
    "= ",
    "a\n=\n",
    "a\n-\n",
    "a\n--\n",
    "\n ",
    " \n",
  ],
  ...[
    "<",
    "< ",
    "</ ",
    "<a",
    "<a>",
    "＜ ",
    "<think>",
    "&",
    "&#",
    "&#1",
    "&a",
    "[",
    "]",
    "{",
    '{"',
    '"',
    '\\"',
    "“",
    "\\",
  ],
  ...[".", ". ", ",", ":", "!", "sure!", "'", "/", "//", "%", "%2", "|", "|-", "> ", "delve", "in today's ", "deep "],
];
const LONG_UNITS = [" ", "\n", "a\n", "a ", "- ", "# a\n", "a\n=\n", "<", "`", "*", "[", "漢"];
const BEGINNINGS = ["", "## a", "- ", "**a", "```\n", "~~~", "<", "sure!", "a", "\n", '"'];
const ENDINGS = ["", "b", "\nb", "\u2028b"];

/** Each hostile shape there is, of about this many characters. */
function* hostileTexts(length: number): Generator<string> {
  for (const unit of UNITS) {
    const run = unit.repeat(Math.ceil(length / unit.length));
    for (const beginning of BEGINNINGS) yield `${beginning}${run}b`;
    for (const ending of ENDINGS) yield run + ending;
  }
}

/** Milliseconds, the best of three: another process may have had the processor. */
function timeOf(read: (text: string) => unknown, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && best > SHORT_MS; turn++) {
    const began = performance.now();
    try {
      read(text);
    } catch {
      // Refusing is an answer too.
    }
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

/** A quadratic reader needs some 100 ms for a text of this length, a linear one less than one. */
const SHORT = 10_000;
const SHORT_MS = 25;
const OUTLINE_BOUND = 100_000;
const BODY_BOUND = 500_000;

describe.each(Object.entries(READERS))("%s", (_name, read) => {
  it("takes time in proportion to the text's length, whatever the text", () => {
    for (const text of hostileTexts(SHORT)) expectQuick(read, text, SHORT_MS);
  });

  it("reads the longest texts there are without keeping anybody waiting", () => {
    for (const unit of LONG_UNITS) {
      const ends: [number, number][] = [
        [OUTLINE_BOUND, 150],
        [BODY_BOUND, 750],
      ];
      for (const [length, ms] of ends) expectQuick(read, `${unit.repeat(length / unit.length)}\u2028b`, ms);
    }
  });
});

function expectQuick(read: (text: string) => unknown, text: string, ms: number): void {
  const took = timeOf(read, text);
  if (took > ms)
    throw new Error(
      `${Math.round(took)} ms for ${text.length} characters: ${JSON.stringify(text.slice(0, 40))} … ${JSON.stringify(text.slice(-10))}`,
    );
}

/** Known shapes at the bounds, by name. */
describe("an outline of 100,000 characters", () => {
  it.each([
    ["a heading of spaces", `## a${" ".repeat(99_000)}b`],
    ["25,000 setext sections", "a\n=\n".repeat(25_000)],
    ["25,000 sections", "## a\n".repeat(20_000)],
    ["one section of 50,000 lines", `## a\n${"b\n".repeat(49_000)}`],
    ["list items of spaces", `- ${" ".repeat(99_000)}a\u2028b`],
  ])("is read in 50 ms: %s", (_what, outline) => {
    expectQuick(parseOutlineSections, outline, 50);
  });
});

it("finds the root in a hostile Link header as quickly", async () => {
  const link = "<".repeat(16_000);
  const began = performance.now();
  await discoverSite(SITE, {
    fetch: async () => ({ status: 404, url: SITE, headers: new Headers({ link }), text: "" }) as never,
  }).catch(() => undefined);
  expect(performance.now() - began).toBeLessThan(100);
});
