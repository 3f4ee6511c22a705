import { readFileSync } from "node:fs";
import path from "node:path";
import { exampleBodies } from "@/tests/unit/lib/features/content/seo/examples";

/** What both judge: a body with the fields of its piece. */
export type Article = {
  name: string;
  language: "en" | "de";
  title: string;
  slug: string;
  description: string;
  keyword: string;
  body: string;
};

/** The host of every article's site. */
export const SITE = "blog.example.com";

/** The articles: posts of tests/support/posts and worked examples of the rules, each under a heading where it has none. */
export function readArticles(): Article[] {
  return ARTICLES.map(({ parts, ...fields }) => ({ ...fields, body: parts.map(bodyOfPart).join("\n\n") }));
}

/** The name of a post, or a worked example by its rule and its place in the file. */
type Source = { post: string } | { example: string; at: number };
type Part = Source & { heading?: string };

function bodyOfPart(part: Part): string {
  const body = "post" in part ? postNamed(part.post) : exampleBodies(part.example)[part.at];
  if (body === undefined) throw new Error(`There is no example for ${JSON.stringify(part)}.`);
  return part.heading ? `## ${part.heading}\n\n${body}` : body;
}

function postNamed(name: string): string {
  return readFileSync(path.join(process.cwd(), "tests/support/posts", `${name}.md`), "utf8").trim();
}

/** The fields are right in some and wrong in others, so that each rule is met on both sides of its thresholds. */
const ARTICLES: (Omit<Article, "body"> & { parts: Part[] })[] = [
  {
    name: "seedlings",
    language: "en",
    title: "Seedlings on a windowsill: why they fail, and what to do",
    slug: "seedlings-on-a-windowsill",
    description:
      "Most seedlings that fail on a windowsill lack light and not warmth. Here is how to sow, water and light them, step by step.",
    keyword: "seedlings",
    parts: [{ post: "article" }],
  },
  {
    name: "sourdough",
    language: "en",
    title: "Rye bread from sourdough, for people with jobs",
    slug: "rye-bread-from-sourdough",
    description: "Rye bread on Saturday after ten minutes of work on Friday.",
    keyword: "rye bread",
    parts: [
      { post: "sourdough-for-busy-people" },
      { heading: "The loaf of the weekend", post: "recipe" },
      { heading: "Rye bread", example: "closed/keyword-in-alternatives", at: 0 },
    ],
  },
  {
    name: "starter",
    language: "en",
    title: "Keeping a sourdough starter alive when you bake only once a month or even less often",
    slug: "starter",
    description:
      "A sourdough starter needs flour, water and time. With a sourdough starter in the fridge you can bake whenever you like, and this sourdough starter guide says how to feed it.",
    keyword: "sourdough starter",
    parts: [
      { example: "open/keyword-density", at: 0 },
      { heading: "Rice, the other starch", example: "closed/reading-ease", at: 0 },
      { heading: "A starter of ten pounds", example: "closed/reading-ease", at: 5 },
      { heading: "The language of the dough", example: "closed/transition-words", at: 2 },
      { heading: "Pictures of the dough", example: "open/picture-alternatives", at: 0 },
    ],
  },
  {
    name: "generics",
    language: "en",
    title: "TypeScript generics and CSV streams, explained without a lecture",
    slug: "typescript-generics",
    description: "What a generic is, when you need one, and how to read a CSV file of two gigabytes without a crash.",
    keyword: "TypeScript generics",
    parts: [{ post: "typescript-generics" }, { post: "tutorial" }],
  },
  {
    name: "server",
    language: "en",
    title: "Docker Compose",
    slug: "docker-compose",
    description:
      "How to move one server with five services to Docker Compose, step by step, with a backup and a way back, in an evening.",
    keyword: "Docker Compose",
    parts: [{ post: "moving-to-compose" }, { heading: "Calling the API", post: "api-quickstart" }],
  },
  {
    name: "notes",
    language: "en",
    title: "How to turn your notes into posts after leaving Medium",
    slug: "from-notes-to-posts",
    description:
      "My notes and posts now live in one folder of Markdown files. This is how a note becomes a post, how I left Medium, what broke on the way, and what I would do in another order today.",
    keyword: "notes to posts",
    parts: [{ post: "notes-to-posts" }, { post: "leaving-medium" }],
  },
  {
    name: "writing",
    language: "en",
    title: "Writing for busy readers: a workshop handout",
    slug: "writing-for-busy-readers",
    description: "",
    keyword: "busy readers",
    parts: [
      { post: "workshop-handout" },
      { heading: "Shortcuts for busy readers", post: "keyboard-shortcuts" },
      { heading: "Questions", example: "closed/internal-links", at: 0 },
    ],
  },
  {
    name: "garden",
    language: "en",
    title: "The garden in November, week by week",
    slug: "november-jobs",
    description:
      "What to lift, plant and prune in your garden in November, how to feed the birds until spring, and when to water what is left.",
    keyword: "gardens in November",
    parts: [
      { post: "garden-in-november" },
      { heading: "When you water", example: "open/reading-ease", at: 0 },
      { heading: "Under glass", example: "open/keyword-density", at: 3 },
    ],
  },
  {
    name: "crm",
    language: "en",
    title: "Three CRM tools compared: Ledgerly, Rolodeck and Hubble",
    slug: "three-crm-tools-compared",
    description:
      "We paid for three CRM tools for a quarter each. Which one is best for invoices, which for calls, and which one did we keep?",
    keyword: "CRM tools",
    parts: [{ post: "crm-comparison" }, { heading: "What our own tool has new", post: "release-notes-4-2" }],
  },
  {
    name: "interview",
    language: "en",
    title: "“Clay remembers everything”: a potter on mugs, money and memory",
    slug: "interview-with-a-potter",
    description:
      "Ines Marlowe throws forty mugs before lunch. An interview with a potter on prices, on clay, and on what beginners should do first.",
    keyword: "interview with a potter",
    parts: [{ post: "interview-potter" }, { heading: "Read in the workshop", post: "book-review-tidewrack" }],
  },
  {
    name: "lisbon",
    language: "en",
    title: "Two days in Lisbon with a pushchair",
    slug: "two-days-in-lisbon-with-a-pushchair",
    description:
      "Lisbon has seven hills, and we had four wheels. Where to sleep, what is flat, what has a lift, and what it all cost us.",
    keyword: "Lisbon with a pushchair",
    parts: [
      { post: "two-days-in-lisbon" },
      { heading: "Booking the hotel", example: "closed/reading-ease", at: 1 },
      { heading: "More of Lisbon", example: "open/heading-distance", at: 0 },
      { heading: "Where we rested", example: "closed/internal-links", at: 1 },
    ],
  },
  {
    name: "funds",
    language: "en",
    title: "Index funds and the tax return: how to spread your money",
    slug: "index-funds",
    description:
      "What an index fund does, what it costs, and why a tax return that is sent off early gives you a quiet spring. With a word on builds.",
    keyword: "index fund",
    parts: [
      { example: "open/reading-ease", at: 2 },
      { heading: "An index fund for ten years", example: "closed/keyword-density", at: 2 },
      { heading: "The tax return", example: "open/keyword-density", at: 2 },
      { heading: "What builds have to do with it", example: "closed/reading-ease", at: 2 },
    ],
  },
  {
    name: "landlord",
    language: "en",
    title: "What the landlord said about the letter, the ferns and the release",
    slug: "landlord",
    description: "Six short stories in which something gets done, and nobody says who did it.",
    keyword: "landlord",
    parts: [
      { example: "open/passive-voice", at: 0 },
      { heading: "Released", example: "open/passive-voice", at: 1 },
      { heading: "The letter", example: "open/passive-voice", at: 2 },
      { heading: "The fern", example: "closed/passive-voice", at: 1 },
      { heading: "The landlord", example: "closed/passive-voice", at: 2 },
      { heading: "The bridge", example: "open/passive-voice", at: 5 },
      { heading: "The houses", example: "closed/sentence-length", at: 0 },
      { heading: "The leaves", example: "open/sentence-length", at: 0 },
    ],
  },
  {
    name: "stories",
    language: "en",
    title: "Search, ferry, frost and bread: six short stories that lead on",
    slug: "short-stories-that-lead-on",
    description:
      "Six short stories about a search, a ferry, a frost, a loaf, a bank and a tree, and about how each sentence leads on to the next one.",
    keyword: "short stories",
    parts: [
      { example: "open/transition-words", at: 0 },
      { heading: "The ferry", example: "open/transition-words", at: 1 },
      { heading: "The frost", example: "open/transition-words", at: 2 },
      { heading: "The loaf", example: "closed/transition-words", at: 2 },
      { heading: "The bank", example: "closed/transition-words", at: 3 },
      { heading: "The tree", example: "closed/transition-words", at: 4 },
    ],
  },
  {
    name: "manual",
    language: "en",
    title: "Backups that somebody has restored",
    slug: "backups-that-somebody-has-restored",
    description:
      "A backup that nobody has restored is a hope. How to find what you cannot do without, and how to rebuild it in an afternoon.",
    keyword: "backup",
    parts: [
      { example: "open/heading-distance", at: 2 },
      { heading: "A backup is a copy", example: "open/reading-ease", at: 1 },
      { heading: "The long way", example: "closed/paragraph-length", at: 2 },
      { heading: "Where to look", example: "open/internal-links", at: 0 },
    ],
  },
  {
    name: "git",
    language: "de",
    title: "Git für Redaktionen: Zweige, Notfälle und ein Winter mit Wärmepumpen",
    slug: "git-fuer-redaktionen",
    description:
      "Git für Redaktionen ohne Fachsprache: wie ein Zweig entsteht, was in einem Notfall hilft und wer dann gerufen wird.",
    keyword: "Git für Redaktionen",
    parts: [{ post: "de-git-fuer-redaktionen" }, { heading: "Drei Wärmepumpen im Test", post: "de-waermepumpen" }],
  },
  {
    name: "käsekuchen",
    language: "de",
    title: "Käsekuchen ohne Boden nach Omas Rezept",
    slug: "kaesekuchen-ohne-boden",
    description: "Omas Käsekuchen ohne Boden, mit drei Varianten.",
    keyword: "Käsekuchen",
    parts: [
      { post: "de-kaesekuchen" },
      { heading: "Ein Risotto davor", example: "open/transition-words", at: 4 },
      { heading: "Was beides kostet", example: "open/transition-words", at: 3 },
      { heading: "Wo das Rezept liegt", example: "closed/transition-words", at: 1 },
    ],
  },
  {
    name: "nebenkosten",
    language: "de",
    title: "Nebenkosten prüfen: So liest du deine Abrechnung",
    slug: "nebenkostenabrechnung-pruefen",
    description:
      "So prüfst du deine Abrechnung über die Nebenkosten: Zeitraum, Zähler, Posten und Fristen, und wer dir dabei hilft.",
    keyword: "Nebenkosten prüfen",
    parts: [
      { example: "closed/reading-ease", at: 4 },
      { heading: "Brot für danach", example: "closed/reading-ease", at: 3 },
      { heading: "Und ein Weg", example: "open/reading-ease", at: 3 },
    ],
  },
  {
    name: "insel",
    language: "de",
    title: "Das Haus der Insel",
    slug: "das-haus-der-insel",
    description:
      "Ein Haus auf der Insel wird umgebaut: was ersetzt werden muss, wer es repariert und warum am Sonntag im Keller getanzt wird.",
    keyword: "Insel",
    parts: [
      { example: "open/passive-voice", at: 4 },
      { heading: "Im Keller", example: "closed/passive-voice", at: 4 },
      { heading: "Der Laden", example: "closed/passive-voice", at: 0 },
      { heading: "Im Garten", example: "open/passive-voice", at: 3 },
      { heading: "Unterwegs", example: "closed/passive-voice", at: 3 },
      { heading: "Auf der Insel", example: "open/paragraph-length", at: 2 },
    ],
  },
  {
    name: "hochbeet",
    language: "de",
    title: "Hochbeete anlegen und füllen, vom Herbst bis in das zweite Jahr",
    slug: "hochbeet-anlegen",
    description:
      "Wer Hochbeete im Herbst anlegt, hat im Frühjahr weniger Arbeit. Welche Schichten hineingehören und was darin wächst.",
    keyword: "Hochbeet",
    parts: [
      { example: "open/keyword-density", at: 4 },
      { heading: "Laub, Äste und Erde", example: "open/sentence-length", at: 2 },
      { heading: "Der Umzug der Daten", example: "closed/sentence-length", at: 2 },
      { heading: "Eine Tabelle für den Ertrag", example: "open/reading-ease", at: 4 },
    ],
  },
];
