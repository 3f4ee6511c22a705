import { boldWords, type Line, plainHeading, readLines } from "@/lib/ai/prompts/markdown";
import { withoutWrapping } from "@/lib/ai/prompts/wrapping";
import { lengthInWords } from "@/lib/utils/words";

/** `level` is that of the heading, 0 for an outline without headings. */
export type OutlineSection = {
  heading: string;
  level: number;
  /** The lines under the heading; may be empty. */
  brief: string;
  /** The budget in a line such as `Words: 300` under the heading, or the sum of its subheadings' budgets. */
  words?: number;
  subheadings: { heading: string; level: number; brief: string; words?: number }[];
};

/**
 * The sections to write: one per H2. For outlines written by hand it falls back to several H1, the highest heading below H2,
 * bold lines, list items, then the whole outline as one section. None for a blank outline.
 */
export function parseOutlineSections(outline: string): OutlineSection[] {
  const lines = withUnderlinedHeadings(readLines(withoutWrapping(outline)));
  const level = sectionLevel(lines);
  if (level !== null) return byHeading(lines, level).map(withBudget);
  for (const mark of [boldLine, listItem]) {
    const sections = byHeading(
      lines.map((line) => ({ ...line, heading: mark(line.text) ?? line.heading })),
      0,
    );
    if (sections.length > 1) return sections;
  }
  return asOne(lines);
}

const WORDS_LINE = /^\s*words:\s*(\d{1,3}(?:[,. ]\d{3})|\d{1,4})\s*$/i;

/** Takes the budget out of the lines, which are for the writer. */
function withBudget(section: OutlineSection): OutlineSection {
  const subheadings = section.subheadings.map(budgetTaken);
  const own = budgetTaken(section);
  const ofSubheadings = subheadings.reduce((sum, { words = 0 }) => sum + words, 0);
  const words = own.words ?? (ofSubheadings > 0 ? ofSubheadings : undefined);
  return { ...own, ...(words ? { words } : {}), subheadings };
}

function budgetTaken<S extends { brief: string; words?: number }>(section: S): S {
  const lines = section.brief.split("\n");
  const found = lines.map((line) => WORDS_LINE.exec(line)?.[1]).find(Boolean);
  if (!found) return section;
  const words = Number(found.replaceAll(/[,. ]/g, ""));
  const brief = lines
    .filter((line) => !WORDS_LINE.test(line))
    .join("\n")
    .trim();
  return words > 0 ? { ...section, brief, words } : { ...section, brief };
}

/** "Heading" over "-----" counts only where no other heading exists: beside `##` it is more likely a rule. */
function withUnderlinedHeadings(lines: Line[]): Line[] {
  if (lines.some((line) => line.heading)) return lines;
  const texts: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const text = lines[at]?.text ?? "";
    const level = /^[^\s\-*+>|#\d]/.test(text) ? underline(lines[at + 1]?.text.trimEnd()) : 0;
    texts.push(level > 0 ? `${"#".repeat(level)} ${text}` : text);
    if (level > 0) at++;
  }
  return readLines(texts.join("\n"));
}

/** 1 for a line of `=`, 2 for `-`, else 0. */
function underline(text: string | undefined): number {
  if (/^=+$/.test(text ?? "")) return 1;
  return /^-{2,}$/.test(text ?? "") ? 2 : 0;
}

function sectionLevel(lines: Line[]): number | null {
  const levels = lines.flatMap((line) => line.heading?.level ?? []);
  if (levels.includes(2)) return 2;
  if (levels.filter((level) => level === 1).length > 1) return 1;
  const lower = levels.filter((level) => level > 2);
  return lower.length > 0 ? Math.min(...lower) : null;
}

function byHeading(lines: Line[], level: number): OutlineSection[] {
  const sections: OutlineSection[] = [];
  // Text before the first section, or under a title, belongs to no section.
  let open: { brief: string } | null = null;
  let brief: string[] = [];
  const endBrief = () => {
    if (open) open.brief = brief.join("\n").trimStart();
    brief = [];
  };
  for (const { heading, text } of lines) {
    if (!heading) {
      if (text.trim() !== "") brief.push(text.trimEnd());
      continue;
    }
    endBrief();
    if (heading.level === level) {
      const section: OutlineSection = { heading: heading.text, level, brief: "", subheadings: [] };
      sections.push(section);
      open = section;
    } else if (heading.level < level || level === 0) {
      open = null;
    } else {
      const subheading = { heading: heading.text, level: heading.level, brief: "" };
      sections.at(-1)?.subheadings.push(subheading);
      open = subheading;
    }
  }
  endBrief();
  return sections;
}

function boldLine(text: string): Line["heading"] {
  const words = /^ {0,3}[*_]/.test(text) ? boldWords(text) : null;
  return words ? { level: 0, text: plainHeading(words) } : null;
}

function listItem(text: string): Line["heading"] {
  const mark = /^ ?(?:[-*+•]|\d{1,9}[.)])\s/.exec(text)?.[0];
  const words = mark ? text.slice(mark.length).trim() : "";
  return words ? { level: 0, text: plainHeading(words) } : null;
}

const MAX_HEADING = 120;

function asOne(lines: Line[]): OutlineSection[] {
  const written = lines.filter((line) => line.text.trim() !== "");
  const first = written[0];
  if (!first) return [];
  const heading = first.heading?.text ?? plainHeading(listItem(first.text)?.text ?? first.text);
  const rest = written.slice(1).map((line) => line.text);
  if (heading.length <= MAX_HEADING) return [{ heading, level: 0, brief: rest.join("\n"), subheadings: [] }];
  const cut = heading.slice(0, MAX_HEADING).replace(/\s+\S*$/, "");
  return [{ heading: cut, level: 0, brief: [heading, ...rest].join("\n"), subheadings: [] }];
}

const MIN_WORDS = 80;

/**
 * Distributes `target` words over the sections, more to those with subheadings; in tens, 80 at least. A section with a
 * budget of its own has that, and the others share what is left.
 */
export function wordBudgets(sections: OutlineSection[], target: number): number[] {
  const weights = sections.map(({ subheadings, brief, words }) =>
    words ? 0 : 1 + subheadings.length * 0.4 + Math.min(lengthInWords(brief), 60) / 120,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const left = target - sections.reduce((sum, { words = 0 }) => sum + words, 0);
  return sections.map(({ words }, index) => {
    if (words) return words;
    return Math.max(MIN_WORDS, Math.round((left * (weights[index] ?? 0)) / total / 10) * 10);
  });
}
