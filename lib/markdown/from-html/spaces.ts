const SPACE = "[\\s\\u200b\\u2060\\ufeff]";
const ONE = new RegExp(SPACE);
const START = new RegExp(`^${SPACE}+`);

/** Without the spaces at the beginning, of whatever width. */
export function withoutStart(text: string): string {
  return text.replace(START, "");
}

/** Without those at the end. An expression that looks for the end would begin at each space. */
export function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ONE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
