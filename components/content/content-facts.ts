import { isBlank } from "@/lib/utils/text";

type Facts = { isOutline: boolean; isTitleOnly: boolean; hasBody: boolean };

/** The badges of a piece in a list, beside its status. */
export function factsOf({ isOutline, isTitleOnly, hasBody }: Facts): string[] {
  return [
    isOutline ? "Outline" : "",
    hasBody ? "Content Created" : "",
    isTitleOnly && !isOutline && !hasBody ? "Title Only" : "",
  ].filter((fact) => !isBlank(fact));
}
