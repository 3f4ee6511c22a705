import { APIError } from "openai";
import { finishAnswer } from "@/lib/ai/answer";
import { classifyFailure } from "@/lib/ai/failures";
import { cleanSection } from "@/lib/ai/prompts/clean-section";
import { finishedPart } from "@/lib/ai/prompts/finished-part";
import { ideasPrompt } from "@/lib/ai/prompts/ideas";
import { keywordsPrompt } from "@/lib/ai/prompts/keywords";
import { lastWords, plainHeading, readLines } from "@/lib/ai/prompts/markdown";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { parseOutlineSections, wordBudgets } from "@/lib/ai/prompts/outline-sections";
import { sectionPrompt } from "@/lib/ai/prompts/section";
import { fenced } from "@/lib/ai/prompts/shared";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { withoutWrapping } from "@/lib/ai/prompts/wrapping";
import { readJson } from "@/lib/ai/read-json";
import { withoutThoughts } from "@/lib/ai/thoughts";
import { NO_TOKENS } from "@/lib/ai/tokens";
import { joinRoles } from "@/lib/ai/wire-messages";
import { fileStem } from "@/lib/features/account/own-data/rules";
import { outlineFigures, readingMinutes, snippet, titleDensity } from "@/lib/features/content/rules";
import { normalizeSiteUrl } from "@/lib/features/sites/rules";
import { fittingKeywords, separateKeywords } from "@/lib/features/topics/rules";
import { complexityProblem } from "@/lib/markdown/complexity";
import { bulletsToDashes, withPlainMarks } from "@/lib/utils/block-marks";
import { frontMatterEnd } from "@/lib/utils/front-matter";
import { decodeEntities, plainSentence } from "@/lib/utils/plain-text";
import { permalinkSlug } from "@/lib/utils/slug";
import { sourceMarks } from "@/lib/utils/source-marks";
import { comparisonKey, countWords, fingerprint, isBlank, storable } from "@/lib/utils/text";
import { keysOf } from "@/lib/utils/title-key";
import { lengthInWords } from "@/lib/utils/words";
import { postChanges } from "@/lib/wordpress/block-changes";
import { discoverSite } from "@/lib/wordpress/discover";
import { encodeEntities } from "@/lib/wordpress/entities";
import { readJson as readSiteJson } from "@/lib/wordpress/json";
import { cleanAddress, homeAddress, homeOf, placeOf } from "@/lib/wordpress/site-address";
import { versionIn } from "@/lib/wordpress/site-report";
import { cpuTime, cpuTimeOf } from "@/tests/support/cpu-time";
import { A_CALLER } from "@/tests/support/wordpress/site-that";
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
const ideas = ideasPrompt({
  project,
  topic,
  persona,
  keyword: "basil",
  count: 1,
  existingTitles: [],
  taken: new Set(),
});
const keywords = keywordsPrompt({ project, topic, persona, existing: [], count: 1 });
const SITE = "https://a.example/";

/** Everything that reads text from users, providers or sites on the request's thread. */
const READERS: Record<string, (text: string) => unknown> = {
  withoutWrapping,
  readLines,
  plainHeading,
  "cleanSection's text": (text) => cleanSection(text, "A"),
  "cleanSection's heading": (text) => cleanSection("**B**\n\nText.", text),
  finishedPart,
  lengthInWords,
  lastWords: (text) => lastWords(text, 10),
  parseOutlineSections: (outline) => parseOutlineSections(outline.slice(0, OUTLINE_BOUND)),
  wordBudgets: (text) => wordBudgets([{ heading: "", level: 0, brief: text, subheadings: [] }], 100),
  "a generated outline": (text) => outlinePrompt(piece).read(text),
  "a generated section": (text) => sectionPrompt(section("")).read(text),
  "a generated lead": (text) => sectionPrompt(section("")).read(`A lead.\n---\n${text}`),
  "the text so far": (text) => sectionPrompt(section(text)).read("Some words."),
  "generated ideas": (title) =>
    ideas.read(JSON.stringify({ ideas: [{ title, angle: title, intent: "informational" }] })),
  "unparsed ideas": (text) => ideas.read(text),
  "generated keywords": (keyword) =>
    keywords.read(JSON.stringify({ keywords: [{ keyword, intent: "informational" }] })),
  fenced: (text) => fenced("outline", text),
  findStockPhrases,
  readJson,
  finishAnswer: (text) =>
    finishAnswer({ text, finish: "stop", isDeclined: false, tokens: NO_TOKENS }, { allowEmpty: true }),
  withoutThoughts,
  "a provider's refusal": (message) =>
    classifyFailure(new APIError(403, { message }, undefined, new Headers()), "sk-key-of-somebody", [message]),
  joinRoles: (content) => joinRoles([1, 2].map(() => ({ role: "user", content }))),
  separateKeywords: (text) => fittingKeywords(separateKeywords(text).parts),
  complexityProblem,
  withPlainMarks,
  bulletsToDashes,
  frontMatterEnd,
  countWords,
  fingerprint,
  keysOf,
  isBlank,
  keywordKey: comparisonKey,
  storable,
  outlineFigures,
  readingMinutes,
  snippet,
  titleDensity: (text) => titleDensity(text.slice(0, 300), text),
  permalinkSlug,
  fileStem: (text) => fileStem(text, 1),
  "the changes of a post": (content) =>
    postChanges({ title: "A", content }, { title: "B", content: content.slice(1, content.length / 2) }),
  decodeEntities,
  encodeEntities,
  plainSentence,
  // Code is looked for once there is a mark.
  sourceMarks: (text) => sourceMarks(`${text}\n\n[source needed]`),
  readSiteJson,
  placeOf: (text) => placeOf(`${SITE}${text}`),
  homeAddress: (text) => homeAddress(`${SITE}${text}`),
  homeOf: (text) => homeOf(`${SITE}${text}`),
  cleanAddress,
  versionIn: (text) => versionIn(`<generator>https://wordpress.org/?v=6.${text}`),
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
    "<\u200b",
    "</d\u0301",
    "<dat",
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
  ...["<!-- wp:a -->", "<!-- /wp:a -->", "<!-- wp:a", "<p>a</p>", "<ul><li>", "<td>"],
  ...[
    ".",
    ". ",
    ",",
    ":",
    "!",
    "sure!",
    "here is ",
    "the section ",
    "'",
    "/",
    "//",
    "%",
    "%2",
    "|",
    "|-",
    "> ",
    "delve",
    "in today's ",
    "deep ",
  ],
  ...["।", "dr. ", "ไทย ", "ไทย", "हिं", "a\u0301", "\u0301", "C++", ".a", "the ", "| a ", "| --- ", "|---"],
  ...["• ", "• a\n", "-\u00a0"],
];
const LONG_UNITS = [" ", "\n", "a\n", "a ", "- ", "# a\n", "a\n=\n", "<", "`", "*", "[", "漢"];
const BEGINNINGS = ["", "## a", "- ", "**a", "```\n", "```md\n", "~~~", "<", "sure!", "here is the ", "a", "\n", '"'];
const ENDINGS = ["", "b", "\nb", "\u2028b"];

/** Every hostile shape, as texts of about a given length. */
const HOSTILE_TEXTS = UNITS.flatMap((unit) => {
  const run = (length: number) => unit.repeat(Math.ceil(length / unit.length));
  return [
    ...BEGINNINGS.map((beginning) => (length: number) => `${beginning}${run(length)}b`),
    ...ENDINGS.map((ending) => (length: number) => run(length) + ending),
  ];
});

const SHORT = 2_000;
/** A linear reader needs a tenth of this for a short text; slower ones are measured on longer texts. */
const SUSPICIOUS_MS = 0.4;
/** What takes this many times as long as an ordinary text is measured at greater lengths. */
const SUSPICIOUS_FACTOR = 3;
const ordinary = (length: number) => "Water the seeds well.\n\n".repeat(Math.ceil(length / 23)).slice(0, length);
const OUTLINE_BOUND = 100_000;
const LONG = 200_000;
/** For a long text a linear reader needs about 20 ms of CPU time, a quadratic one seconds. */
const LONG_MS = 1_000;

function attempt(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch {
    // Refusing is an answer too.
  }
}

/** Wall-clock time, which is cheap to measure: good for a first look. */
function timeOf(read: (text: string) => unknown, text: string): number {
  const began = performance.now();
  attempt(read, text);
  return performance.now() - began;
}

/** Milliseconds of CPU time, the best of several tries. */
function costOf(read: (text: string) => unknown, text: string, tries = 3): number {
  return Math.min(...Array.from({ length: tries }, () => cpuTime(() => attempt(read, text))));
}

/** A busy machine makes a linear reader look quadratic now and then; a quadratic one looks so each time. */
function isLinear(read: (text: string) => unknown, textOf: (length: number) => string, suspicious: number): boolean {
  const text = textOf(SHORT);
  if (timeOf(read, text) < suspicious || timeOf(read, text) < suspicious) return true;
  return Array.from({ length: 4 }).some(() => looksLinear(read, textOf));
}

/** Four times the text takes a linear reader four times as long, a quadratic one sixteen times. */
function looksLinear(read: (text: string) => unknown, textOf: (length: number) => string): boolean {
  const four = costOf(read, textOf(16 * SHORT));
  return four < 50 || four < 9 * costOf(read, textOf(4 * SHORT));
}

describe.each(Object.entries(READERS))("%s", (_name, read) => {
  it("takes time in proportion to the text's length, whatever the text", () => {
    if (!isLinear(read, ordinary, SUSPICIOUS_MS)) throw new Error("not linear: an ordinary text");
    const usual = Math.min(...Array.from({ length: 10 }, () => timeOf(read, ordinary(SHORT))));
    const suspicious = Math.max(SUSPICIOUS_MS, SUSPICIOUS_FACTOR * usual);
    for (const textOf of HOSTILE_TEXTS)
      if (!isLinear(read, textOf, suspicious)) throw new Error(`not linear: ${shown(textOf(SHORT))}`);
  });

  it("reads the longest texts quickly", () => {
    for (const unit of LONG_UNITS) expectQuick(read, `${unit.repeat(LONG / unit.length)}\u2028b`);
  });
});

function expectQuick(read: (text: string) => unknown, text: string): void {
  const cost = costOf(read, text, 1);
  if (cost > LONG_MS) throw new Error(`${Math.round(cost)} ms for ${text.length} characters: ${shown(text)}`);
}

function shown(text: string): string {
  return `${JSON.stringify(text.slice(0, 40))} … ${JSON.stringify(text.slice(-10))}`;
}

/** Known hostile shapes at the maximum length. */
describe("an outline of 100,000 characters", () => {
  it.each([
    ["a heading of spaces", `## a${" ".repeat(99_000)}b`],
    ["25,000 setext sections", "a\n=\n".repeat(25_000)],
    ["25,000 sections", "## a\n".repeat(20_000)],
    ["one section of 50,000 lines", `## a\n${"b\n".repeat(49_000)}`],
    ["list items of spaces", `- ${" ".repeat(99_000)}a\u2028b`],
  ])("is read quickly: %s", (_what, outline) => {
    expectQuick(parseOutlineSections, outline);
  });
});

it("searches a hostile Link header quickly", async () => {
  const discover = (length: number) => {
    const headers = new Headers({ link: "<".repeat(length) });
    return discoverSite(SITE, {
      ...A_CALLER,
      fetch: async () => ({ status: 404, url: SITE, headers, text: "" }) as never,
    }).catch(() => undefined);
  };
  await discover(16_000);
  expect(await cpuTimeOf(() => discover(500_000))).toBeLessThan(LONG_MS);
});
