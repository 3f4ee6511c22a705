/** Longer ones are text: looking for their end at each beginning would take too long. */
const MAX_LENGTH = 2_000;

/**
 * The length of the formula that begins here, in the marks that a site's MathJax or KaTeX looks for: `$$…$$`, or `\(…\)` with
 * something that only a formula has, since a backslash before a bracket may only escape it. Else 0.
 */
export function mathLength(text: string, start: number): number {
  const marker = text.slice(start, start + 2);
  if (marker !== "$$" && marker !== "\\(") return 0;
  const rest = text.slice(start + 2, start + MAX_LENGTH);
  const length = rest.indexOf(marker === "$$" ? "$$" : "\\)");
  if (length <= 0 || (marker === "\\(" && !/[\\_^{=]/.test(rest.slice(0, length)))) return 0;
  return length + 4;
}
