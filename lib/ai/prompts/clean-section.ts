import { boldWords, type Line, plainHeading, readLines } from "@/lib/ai/prompts/markdown";
import { withoutWrapping } from "@/lib/ai/prompts/wrapping";
import { fingerprint } from "@/lib/utils/text";

/** Removes what providers add: a fence or an announcement, the section's own heading, headings above H3 and a rule at the end. */
export function cleanSection(markdown: string, heading: string): string {
  const lines = readLines(withoutWrapping(markdown));
  const first = lines.findIndex((line) => line.text.trim() !== "");
  if (first !== -1 && repeats(lines[first], heading)) lines.splice(0, first + 1);
  while (lines.length > 1 && isBlankOrRule(lines.at(-1))) lines.pop();
  return lines
    .map((line) => (line.heading && line.heading.level < 3 ? `### ${line.heading.text}` : line.text))
    .join("\n")
    .trim();
}

function isBlankOrRule(line: Line | undefined): boolean {
  return /^(?:-{3,}|\*{3,}|_{3,}|)$/.test(line?.text.trim() ?? "");
}

function repeats(line: Line | undefined, heading: string): boolean {
  const text = line?.heading?.text ?? boldWords(line?.text ?? "");
  return text !== null && fingerprint(text) === fingerprint(plainHeading(heading));
}
