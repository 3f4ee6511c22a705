import { MAX_LOSSES } from "@/lib/markdown/losses";

type Facts = { isOutline: boolean; isTitleOnly: boolean; hasBody: boolean };

/** The badge of a piece that is more than a title, and has a blank body. */
export const NO_TEXT = "No text";

/** The badges of a piece in a list, beside its status. */
export function factsOf({ isOutline, isTitleOnly, hasBody }: Facts): string[] {
  const facts = [...(isOutline ? ["Outline"] : []), ...(hasBody ? ["Content Created"] : [])];
  if (facts.length > 0) return facts;
  return [isTitleOnly ? "Title Only" : NO_TEXT];
}

/** The length of a piece in a list; null where there is no text, or its words are not counted yet. */
export function lengthOf({ lengthInWords }: { lengthInWords: number | null }): string | null {
  if (!lengthInWords) return null;
  return `${lengthInWords.toLocaleString("en-US")} word${lengthInWords === 1 ? "" : "s"}`;
}

/** How much of a text its readers will not get; a count ends at MAX_LOSSES. */
export function willNotAppear(count: number): string {
  if (count === 1) return "1 thing will not appear";
  return `${count < MAX_LOSSES ? "" : "At least "}${count} things will not appear`;
}
