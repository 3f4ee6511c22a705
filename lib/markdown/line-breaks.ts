import type { Token } from "markdown-it";

const LETTER = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]";
const ENDS_IN_LETTER = new RegExp(`${LETTER}$`, "u");
const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, "u");

/**
 * Joins the lines that one Chinese or Japanese sentence was broken into: the break is between two of its letters, and a sentence
 * ends later in the paragraph. The lines of a poem or an address, which do not end that way, stay lines.
 */
export function joinLines(tokens: Token[]): Token[] {
  const end = tokens.findLastIndex(({ content }) => /[。！？]/.test(content));
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "softbreak" || index > end) continue;
    const isInSentence =
      ENDS_IN_LETTER.test(beside(tokens, index, -1)) && BEGINS_WITH_LETTER.test(beside(tokens, index, 1));
    if (isInSentence) token.meta = { isJoined: true };
  }
  return tokens;
}

/** The text before or after a token, past marks. */
function beside(tokens: readonly Token[], index: number, by: 1 | -1): string {
  let at = index + by;
  while (tokens[at]?.nesting || (tokens[at]?.type === "text" && tokens[at]?.content === "")) at += by;
  return tokens[at]?.content ?? "";
}
