import type { MarkdownIt, Token } from "markdown-it";
import { isLocalPicture, withoutSize } from "@/lib/utils/pictures";

/**
 * A markdown-it plugin that leaves out what readers cannot load, with lines and paragraphs that have nothing else. A token of
 * the type `loss` stays, whose `meta` names it and whose `map` has the lines of its block.
 */
export function pictures({ core }: MarkdownIt): void {
  core.ruler.after("inline", "pictures", (state) => {
    for (const token of state.tokens) if (token.children) readPictures(token);
    state.tokens = withoutEmptyBlocks(state.tokens);
  });
}

function readPictures(block: Token): void {
  let hasLoss = false;
  for (const token of block.children ?? []) {
    if (token.type === "image") readPicture(token);
    if (token.type !== "loss") continue;
    token.map = block.map;
    hasLoss = true;
  }
  if (hasLoss) block.children = withoutEmptyLines(withoutEmptyPairs(block.children ?? []));
}

function readPicture(token: Token): void {
  const last = token.children?.at(-1);
  if (last?.type === "text") last.content = withoutSize(last.content);
  const source = String(token.attrGet("src") ?? "");
  if (!isLocalPicture(source)) return;
  Object.assign(token, { type: "loss", tag: "", children: null, meta: { loss: "localPicture", source } });
}

/** Without links and emphasis that have only losses in them. */
function withoutEmptyPairs(tokens: Token[]): Token[] {
  const dropped = new Set<Token>();
  const open: { token: Token; hasText: boolean; hasLoss: boolean }[] = [];
  for (const token of tokens) {
    if (token.nesting === 1) open.push({ token, hasText: false, hasLoss: false });
    const pair = token.nesting === -1 ? open.pop() : undefined;
    const isEmpty = pair?.hasLoss && !pair.hasText;
    if (pair && isEmpty) dropped.add(pair.token).add(token);
    const around = open.at(-1);
    if (!around || token.nesting === 1) continue;
    around.hasLoss ||= isEmpty || token.type === "loss";
    around.hasText ||= !isEmpty && !isNothing(token);
  }
  return tokens.filter((token) => !dropped.has(token));
}

function isNothing({ type, content }: Token): boolean {
  return type === "loss" || (type === "text" && content.trim() === "");
}

/** Without lines that have only losses, and their line breaks. */
function withoutEmptyLines(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  let line: Token[] = [];
  let lineBreak: Token | undefined;
  let hasText = false;
  const endLine = (next?: Token) => {
    const isLost = line.some(({ type }) => type === "loss") && line.every(isNothing);
    if (!isLost && lineBreak && hasText) kept.push(lineBreak);
    for (const token of line) if (!isLost || token.type === "loss") kept.push(token);
    hasText ||= !isLost;
    lineBreak = next;
    line = [];
  };
  for (const token of tokens) {
    if (token.type === "softbreak" || token.type === "hardbreak") endLine(token);
    else line.push(token);
  }
  endLine();
  return kept;
}

/** Without paragraphs and headings that have only losses. */
function withoutEmptyBlocks(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const [token, inline] = [tokens[index] as Token, tokens[index + 1]];
    const isBlock = token.type === "paragraph_open" || token.type === "heading_open";
    const losses = isBlock && inline?.children?.length && inline.children.every(isNothing) ? inline.children : null;
    if (!losses?.some(({ type }) => type === "loss")) kept.push(token);
    else {
      for (const loss of losses) if (loss.type === "loss") kept.push(loss);
      index += 2;
    }
  }
  return kept;
}
