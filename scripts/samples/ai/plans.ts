import { keysOf, preferNew, unseen } from "@/lib/utils/title-key";
import { IDEA_TAILS, KEYWORD_FORMS, OUTLINE_HEADINGS } from "@/scripts/samples/ai/forms";
import type { KindName } from "@/scripts/samples/ai/paragraphs";
import type { ReadPrompt } from "@/scripts/samples/ai/read-prompt";
import { clip, fill, lowerFirst, numberOf, outlineSlots, upperFirst } from "@/scripts/samples/ai/wording";

/** Keywords around the topic, except those the prompt already lists. */
export function sampleKeywords(prompt: ReadPrompt): { keywords: { keyword: string; intent: string }[] } {
  const topic = shortTopic(prompt.topic);
  const single = KEYWORD_FORMS.map(([form, intent]) => ({ keyword: form.replace("{T}", topic), intent }));
  // Once the list is exhausted, forms are combined: "checklist on a budget".
  const joined = single.flatMap(({ keyword, intent }) =>
    ["for beginners", "on a budget", "at home", "for teams"].map((tail) => ({ keyword: `${keyword} ${tail}`, intent })),
  );
  const fits = ({ keyword }: { keyword: string }) => {
    const words = keyword.split(" ").length;
    return words >= 2 && words <= 6;
  };
  return { keywords: choose([...single, ...joined].filter(fits), (item) => item.keyword, prompt) };
}

/** Titles of 40 to 65 characters around the keyword, each asking a different question. */
export function sampleIdeas(
  prompt: ReadPrompt,
  seed: number,
): { ideas: { title: string; angle: string; intent: string }[] } {
  const keyword = upperFirst(clip(prompt.keyword, 45));
  const turn = numberOf(prompt.keyword, seed) % IDEA_TAILS.length;
  const tails = [...IDEA_TAILS.slice(turn), ...IDEA_TAILS.slice(0, turn)];
  const single = tails.map(([tail, intent]) => idea(keyword, tail, intent));
  const joined = tails.flatMap(([first, intent]) =>
    tails.filter(([second]) => second !== first).map(([second]) => idea(keyword, `${first}, ${second}`, intent)),
  );
  const fits = ({ title }: { title: string }) => title.length >= 40 && title.length <= 65;
  return { ideas: choose([...single, ...joined].filter(fits), (item) => item.title, prompt) };
}

/** What search engines and lists of posts say of the piece, made of its title and keyword. */
export function sampleFields({ title, keyword }: ReadPrompt) {
  const words = lowerFirst(keyword);
  return {
    focusKeyword: words,
    seoTitle: clip(`${upperFirst(keyword)}: ${lowerFirst(title)}`, 60),
    metaDescription: `What to know about ${clip(words, 60)}, where to begin, and which small steps make the difference in the first week.`,
    slug: words,
    excerpt: `A short guide to ${words}, from the first step to the one that most people leave out.`,
  };
}

function idea(keyword: string, tail: string, intent: string) {
  return {
    title: `${keyword}: ${tail}`,
    angle: `For readers who search for “${lowerFirst(keyword)}” and want to know one thing: ${tail}.`,
    intent,
  };
}

function choose<T>(candidates: T[], nameOf: (item: T) => string, prompt: ReadPrompt): T[] {
  const found = unseen(candidates, nameOf, new Set(prompt.existing.flatMap(keysOf)));
  return preferNew(found, prompt.count).map(({ item }) => item);
}

const SMALL_WORDS = new Set([
  "a",
  "an",
  "the",
  "of",
  "for",
  "and",
  "in",
  "on",
  "to",
  "your",
  "with",
  "from",
  "by",
  "at",
]);

function shortTopic(topic: string): string {
  const words = topic
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, " ")
    .split(/\s+/)
    .filter(Boolean);
  const strong = words.filter((word) => !SMALL_WORDS.has(word));
  return (strong.length > 0 ? strong : words).slice(0, 3).join(" ") || "this topic";
}

// They differ in the middle; the title decides which one a piece gets.
const COURSES: KindName[][] = [
  ["answer", "basics", "steps", "tools", "mistakes", "next"],
  ["answer", "steps", "cost", "mistakes", "measure", "next"],
  ["answer", "example", "plan", "choose", "mistakes", "next"],
  ["answer", "basics", "plan", "cost", "measure", "next"],
];

/** An outline of six or seven H2, one of them about a challenge of the persona, if it has any. */
export function sampleOutline(prompt: ReadPrompt, seed: number): string {
  const slots = outlineSlots(prompt);
  const turn = numberOf(prompt.title, seed);
  const course = [...(COURSES[turn % COURSES.length] ?? [])];
  if (prompt.persona?.challenges.length) course.splice(-1, 0, "worry");
  const sections = course.map((kind) => {
    const { headings, brief, points } = OUTLINE_HEADINGS[kind];
    const heading = headings[turn % headings.length] ?? kind;
    const below = points.map(([point, delivers]) => `### ${point}\n\n${delivers}`);
    return [`## ${heading}`, brief, ...below].map((part) => fill(part, slots)).join("\n\n");
  });
  return sections.join("\n\n");
}
