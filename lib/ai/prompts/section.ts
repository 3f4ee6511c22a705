import { cleanSection } from "@/lib/ai/prompts/clean-section";
import { withContinuation } from "@/lib/ai/prompts/continuation";
import { type Led, splitLead } from "@/lib/ai/prompts/lead";
import { lastWords, readLines } from "@/lib/ai/prompts/markdown";
import type { Prompt, Reading } from "@/lib/ai/prompts/prompt";
import {
  fenced,
  givesFacts,
  LABELS,
  type PieceInput,
  pieceFences,
  systemMessage,
  userMessage,
} from "@/lib/ai/prompts/shared";
import { STOCK_PHRASES } from "@/lib/ai/prompts/stock-phrases";
import { withoutWrapping } from "@/lib/ai/prompts/wrapping";
import { fingerprint } from "@/lib/utils/text";
import { lengthInWords } from "@/lib/utils/words";

export type SectionInput = PieceInput & {
  /** Markdown. */
  outline: string;
  heading: string;
  /** Counts from 0. */
  headingIndex: number;
  headingCount: number;
  /** The outline's lines under this heading; may be empty. */
  brief: string;
  /** The sections before this one, with headings; empty for the first. */
  textSoFar: string;
  wordBudget: number;
  /** What an earlier call had written of this section when it broke off; empty for none. */
  begun?: string;
};

/**
 * The Markdown of one section, without its heading; a post's first one brings the post's lead. An answer that is far too short or repeats earlier text is
 * requested once more, then accepted without the repeated paragraphs.
 */
export function sectionPrompt(input: SectionInput): Prompt<Led> {
  const { heading, headingIndex, headingCount, brief, wordBudget, begun = "" } = input;
  const isLed = isFirst(input) && begun === "";
  return {
    name: "section",
    version: "section-2",
    // Some languages need five tokens a word, and reasoning models spend tokens on thoughts.
    limits: { maxTokens: wordBudget * 6 + 3_000, temperature: 0.7 },
    messages: [
      systemMessage(
        "You write one section of a blog article from its outline, as a person who has done the work.",
        [
          "Markdown of this section alone, without its heading. H3 (###) where the outline has them under this heading; never H1 or H2.",
          "Deliver what the outline's line under the heading asks for, and leave the other sections' matter to them.",
          `About ${wordBudget} words: not fewer than ${Math.round(wordBudget * 0.8)}, not more than ${Math.round(wordBudget * 1.2)}.`,
          "Join on to the text so far and never say again what it says: no recap, no second definition, no repeated example.",
          "Be concrete: a step, a case, a comparison the reader can use. Short paragraphs; a list or a table only where it helps.",
          ...(givesFacts(input) ? [] : [NO_FACTS_RULE]),
          "A number, date, study, quote, or the name of a person, company or product that is not in the material is written as [source needed: what to look for], never made up.",
          "The focus keyword where it reads naturally, at most twice; never forced into a heading.",
          `Plain words. Never these phrases or their like: ${STOCK_PHRASES.join("; ")}.`,
          placeRule(headingIndex, headingCount),
          ...(isLed ? [LEAD_RULE] : []),
          ...(begun === "" ? [] : [BEGUN_RULE]),
        ],
        input.project.style,
      ),
      userMessage(
        [
          ...pieceFences(input),
          fenced(LABELS.outline, input.outline),
          input.textSoFar.trim() === "" ? null : fenced(LABELS.textSoFar, clipTextSoFar(input.textSoFar)),
          fenced(LABELS.section, { heading, brief, position: headingIndex + 1, of: headingCount, words: wordBudget }),
          begun === "" ? null : fenced(LABELS.sectionBegun, begun.trimEnd()),
        ],
        taskOf(isLed, begun),
      ),
    ],
    read: (text) => readSection(text, input),
  };
}

const LEAD_RULE =
  "Before the section comes the lead of the article: two to four sentences, without a heading, that say what the reader will get. Then a line with --- alone, then the section, which does not repeat the lead.";

const BEGUN_RULE =
  "The beginning of this section is written already. Answer with what comes after its last words, as far as the section goes, and repeat nothing of it; its words count.";

function taskOf(isLed: boolean, begun: string): string {
  if (begun !== "") return "Write the rest of this section.";
  return isLed ? "Write the lead and this section." : "Write this section.";
}

const NO_FACTS_RULE =
  "No figures, dates, studies, quotes or names unless the material gives them: say what can be said without a source.";

/** Does the post begin here? Text before it, such as the user's own, already leads into it. */
function isFirst({ headingIndex, textSoFar }: Pick<SectionInput, "headingIndex" | "textSoFar">): boolean {
  return headingIndex === 0 && textSoFar.trim() === "";
}

function placeRule(index: number, count: number): string {
  if (index === 0) return "This is the first section: begin with the answer itself, not with a preface.";
  if (index === count - 1) return "This is the last section: end with the one step to take next, not with a summary.";
  return "This is a section in the middle: no preface and no closing words.";
}

const MAX_WHOLE_WORDS = 6_000;
const TAIL_WORDS = 1_500;

/** Cuts a text of more than 6,000 words down to its headings and its last 1,500 words. */
function clipTextSoFar(text: string): string {
  if (lengthInWords(text) <= MAX_WHOLE_WORDS) return text;
  const headings = readLines(text).flatMap((line) => (line.heading ? [line.text.trim()] : []));
  return `${headings.join("\n")}\n\n[…]\n\n${lastWords(text, TAIL_WORDS)}`;
}

// A section below this share of its budget is too short.
const TOO_SHORT = 0.4;

/** About 15,000 words, ten times a section. */
const MAX_LENGTH = 100_000;

function readSection(text: string, input: SectionInput): Reading<Led> {
  const { lead, text: cleaned } = sectionText(withContinuation(input.begun ?? "", text.slice(0, MAX_LENGTH)), input);
  const kept = withoutRepetition(cleaned, lead === "" ? input.textSoFar : lead);
  const section = kept ?? cleaned;
  const value = { lead, text: section };
  if (section === "") return { ok: false, problem: "It was empty or only repeated the text so far." };
  if (kept !== null) return { ok: false, problem: "It repeated paragraphs of the text so far.", usable: value };
  const words = lengthInWords(section);
  if (words >= input.wordBudget * TOO_SHORT) return { ok: true, value };
  return { ok: false, problem: `It had ${words} words instead of about ${input.wordBudget}.`, usable: value };
}

/** The text of an answer, or of what there is of one, without what providers add. */
export function sectionText(
  markdown: string,
  { heading, ...place }: Pick<SectionInput, "heading" | "headingIndex" | "textSoFar">,
): Led {
  if (!isFirst(place)) return { lead: "", text: cleanSection(markdown, heading) };
  const { lead, text } = splitLead(withoutWrapping(markdown));
  return { lead, text: cleanSection(text, heading) };
}

// Shorter paragraphs ("For example:") may repeat.
const MIN_PARAGRAPH_WORDS = 8;

/** Drops paragraphs found in the text so far or twice in the section; null when there are none. */
function withoutRepetition(section: string, textSoFar: string): string | null {
  const seen = new Set(textSoFar.split(/\n{2,}/).map(fingerprint));
  const paragraphs = section.split(/\n{2,}/);
  const kept = paragraphs.filter((paragraph) => {
    if (lengthInWords(paragraph) < MIN_PARAGRAPH_WORDS) return true;
    const key = fingerprint(paragraph);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.length < paragraphs.length ? kept.join("\n\n").trim() : null;
}
