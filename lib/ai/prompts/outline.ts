import { readLines } from "@/lib/ai/prompts/markdown";
import { parseOutlineSections } from "@/lib/ai/prompts/outline-sections";
import type { Prompt, Reading } from "@/lib/ai/prompts/prompt";
import { givesFacts, type PieceInput, pieceFences, systemMessage, userMessage } from "@/lib/ai/prompts/shared";
import { withoutWrapping } from "@/lib/ai/prompts/wrapping";

const SECTIONS = { min: 5, max: 9 } as const;

/** Markdown of H2 and H3, each with one line that says what it must deliver. */
export function outlinePrompt(input: PieceInput): Prompt<string> {
  return {
    name: "outline",
    version: "outline-2",
    limits: { maxTokens: 6_000, temperature: 0.6 },
    messages: [
      systemMessage(
        "You are the editor of a blog and plan an article that another person will write from your outline.",
        [
          `Markdown alone: ${SECTIONS.min} to ${SECTIONS.max} sections as H2 (##), their points as H3 (###). No H1, no title.`,
          "Under every H2 and every H3 one plain line that says what it must deliver: the question it answers, the example, step or comparison it needs.",
          "The first section gives the answer that the title promises. The last one gives the reader one next step to take.",
          'A heading says what its section says. No "Introduction", "Overview", "Conclusion", "Summary" or the like.',
          "Keep to the angle and the search intent where they are given; nothing that one of the neighbour titles covers.",
          "What the persona fears and wants has its place, each where it matters to them.",
          "No section repeats another.",
          givesFacts(input)
            ? "Where a number, study or quote is needed, say so in the line; never make one up."
            : "Plan nothing that needs a number, study or quote: the material gives none.",
        ],
        input.project.style,
      ),
      userMessage(pieceFences(input), "Write the outline of this piece."),
    ],
    read: readOutline,
  };
}

// Fewer sections cannot carry a post.
const MIN_USABLE = 3;

/** The longest outline we accept; a provider may send more. */
const MAX_LENGTH = 100_000;

function readOutline(text: string): Reading<string> {
  const lines = readLines(withoutWrapping(text.slice(0, MAX_LENGTH)));
  const first = lines.findIndex((line) => line.heading?.level === 2);
  if (first === -1) return { ok: false, problem: "It had no H2 headings (##)." };
  const outline = lines
    .slice(first)
    .map((line) => line.text)
    .join("\n")
    .trim();
  const problem = problemOf(outline);
  if (!problem) return { ok: true, value: outline };
  const usable = parseOutlineSections(outline).length >= MIN_USABLE;
  return { ok: false, problem, ...(usable && { usable: outline }) };
}

const GENERIC =
  /^(?:introduction|intro|overview|background|conclusion|summary|final thoughts|wrap[- ]?up|closing thoughts)$/i;

function problemOf(outline: string): string | null {
  const sections = parseOutlineSections(outline);
  if (sections.length < SECTIONS.min || sections.length > SECTIONS.max)
    return `It had ${sections.length} H2 sections instead of ${SECTIONS.min} to ${SECTIONS.max}.`;
  const bare = sections.find((section) => section.brief === "");
  if (bare) return "An H2 had no line under it that says what it must deliver.";
  const headings = new Set(sections.map((section) => section.heading.toLowerCase()));
  if (headings.size < sections.length) return "Two H2 headings were the same.";
  if (sections.some((section) => GENERIC.test(section.heading)))
    return "It had a generic heading such as Introduction or Conclusion.";
  return null;
}
