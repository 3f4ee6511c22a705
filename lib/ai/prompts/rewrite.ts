import type { Prompt, Reading } from "@/lib/ai/prompts/prompt";
import {
  fenced,
  LABELS,
  type PieceInput,
  pieceFences,
  type StyleInput,
  systemMessage,
  userMessage,
} from "@/lib/ai/prompts/shared";
import { STOCK_PHRASES } from "@/lib/ai/prompts/stock-phrases";
import { withoutWrapping } from "@/lib/ai/prompts/wrapping";
import { lengthInWords } from "@/lib/utils/words";

/** `continue` writes on where the text before ends; `drop` takes one section out of an outline. */
export type Rewrite =
  | "shorter"
  | "longer"
  | "simpler"
  | "grammar"
  | "tone"
  | "translate"
  | "custom"
  | "section"
  | "continue"
  | "drop";

export type RewriteInput = PieceInput & {
  action: Rewrite;
  of: "body" | "outline";
  /** Markdown; blank for `continue`. */
  selection: string;
  /** What stands around it, for joining on. */
  before: string;
  after: string;
  outline: string;
  /** The author's words: the tone, the language, or what to do. */
  instruction: string;
};

/** A part of a text, changed as its author asks. */
export function rewritePrompt(input: RewriteInput): Prompt<string> {
  const { action, selection, before, after, outline } = input;
  return {
    name: "rewrite",
    version: "rewrite-2",
    limits: {
      maxTokens: Math.max(lengthInWords(selection), 300) * 12 + 2_000,
      temperature: TEMPERATURES[action] ?? 0.6,
    },
    messages: [
      systemMessage(
        ROLES[input.of],
        [
          action === "continue" ? CONTINUE_RULES[input.of] : REPLACE_RULE,
          ...(input.of === "outline" ? [OUTLINE_RULE] : []),
          "Markdown, with the marks of the selection: headings stay headings of the same level, links keep their addresses, lists stay lists.",
          "Keep every fact, number, name, quote and [source needed: …] mark. What the material does not have is written as [source needed: what to look for], never made up.",
          `Plain words. Never these phrases or their like: ${STOCK_PHRASES.join("; ")}.`,
        ],
        styleFor(input),
        action === "translate" ? TRANSLATE_RULE : KEEP_LANGUAGE_RULE,
      ),
      userMessage(
        [
          ...pieceFences(input),
          outline.trim() === "" || input.of === "outline" ? null : fenced(LABELS.outline, outline),
          before.trim() === "" ? null : fenced(LABELS.textBefore, before),
          selection.trim() === "" ? null : fenced(LABELS.selection, selection),
          after.trim() === "" ? null : fenced(LABELS.textAfter, after),
        ],
        taskOf(input),
      ),
    ],
    read: (text) => readRewrite(text, selection),
  };
}

/** Correcting and translating leave nothing to invent. */
const TEMPERATURES: Partial<Record<Rewrite, number>> = {
  grammar: 0,
  drop: 0,
  translate: 0.2,
  simpler: 0.4,
  shorter: 0.4,
};

const REPLACE_RULE =
  "Answer with the new text of the selection alone. It takes the selection's place: join on to the text before and after it, and repeat neither.";
const CONTINUE_RULES = {
  body: "Answer with what comes next, about 150 to 250 words. It is put where the text before ends: go on from its last words, follow the outline where there is one, and repeat nothing.",
  outline:
    "Answer with the one section that should come next, under a heading of the level of the one before it. It is put where the text before ends, and repeats no other section.",
};
const ROLES = {
  body: "You edit a blog article with its author, one part at a time, and change only what they ask for.",
  outline:
    "You edit the outline of a blog article with its author, one section at a time, and change only what they ask for.",
};
const OUTLINE_RULE =
  "A section of an outline is a heading and, under it and under each subheading, one plain line that says what it must deliver. Lines such as Words: 300 and Note: … stay.";
const KEEP_LANGUAGE_RULE = "Keep the language of the text, whatever the language of these rules.";

/** A tone that is asked for now takes the place of the project's; correcting and translating change no tone. */
function styleFor({ action, project: { style } }: RewriteInput): StyleInput | null {
  if (!style) return null;
  return ["tone", "translate", "grammar"].includes(action) ? { ...style, tone: null } : style;
}

const TRANSLATE_RULE =
  "The language that the author names takes the place of the text's own. Addresses, code and names of products stay.";

const TASKS: Record<Exclude<Rewrite, "tone" | "translate" | "custom" | "section" | "drop">, string> = {
  shorter: "Make the selection shorter, about half as long. Keep what helps the reader most.",
  longer:
    "Make the selection longer, about half as long again: a step, a reason or an example that the material supports.",
  simpler: "Make the selection simpler: short sentences, everyday words, one thought at a time.",
  grammar: "Correct spelling, grammar and punctuation in the selection. Change no other word and no order.",
  continue: "Write on.",
};

/** The author's instruction is theirs to give, so it stands in the task and not among the material. */
function taskOf({ action, of, instruction }: RewriteInput): string {
  const words = instruction.trim();
  if (of === "outline" && action === "section") {
    const again = "Write this section of the outline again: what it must deliver, more to the point.";
    return words === "" ? again : `${again} Its author asks: ${words}`;
  }
  if (action === "drop") {
    const which = words === "" ? "the one that serves the reader least" : `the one its author names: ${words}`;
    return `Take one section out of the outline, with what is nested under it: ${which}. Every other section stays word for word, in its order.`;
  }
  if (action === "tone") return `Rewrite the selection in this tone: ${words}`;
  if (action === "translate") return `Translate the selection into this language: ${words}`;
  if (action === "custom") return `Change the selection as its author asks: ${words}`;
  if (action === "section") {
    const again =
      "Write this section again, under the same heading, better than it is: more concrete, and nothing twice.";
    return words === "" ? again : `${again} Its author asks: ${words}`;
  }
  return words === "" ? TASKS[action] : `${TASKS[action]} The author asks: ${words}`;
}

/** The longest answer that is taken: five times the longest selection. */
const MAX_LENGTH = 100_000;

function readRewrite(text: string, selection: string): Reading<string> {
  const answer = text.slice(0, MAX_LENGTH).trim();
  // The fence of a selected code block belongs to the text.
  const cleaned = /^(?:```|~~~)/.test(selection.trim()) ? answer : withoutWrapping(answer);
  return cleaned === "" ? { ok: false, problem: "It was empty." } : { ok: true, value: cleaned };
}
