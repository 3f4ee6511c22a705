import { isBlank } from "@/lib/utils/text";

type Facts = { isOutline: boolean; isTitleOnly: boolean; hasBody: boolean };

/** The facts a list tells about a piece beside its status. */
export function factsOf({ isOutline, isTitleOnly, hasBody }: Facts): string[] {
  return [
    isOutline ? "Outline" : "",
    hasBody ? "Content Created" : "",
    isTitleOnly && !isOutline && !hasBody ? "Title Only" : "",
  ].filter((fact) => !isBlank(fact));
}
