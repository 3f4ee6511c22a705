/** `[[Note]]`, `[[Note|words]]` or `![[image.png]]`, as Obsidian writes them. */
export type WikiLink = {
  isEmbed: boolean;
  /** Positions of what is shown, and of the end. */
  from: number;
  to: number;
  end: number;
  /** What is between the brackets. */
  inner: string;
};

/** Brackets, code and line breaks end it. `[[^` may begin a footnote in brackets. */
const WIKI_LINK = /(!?)\[\[(?!\^)([^[\]`\n]+)\]\]/y;

/** The link that begins here, or null. `[[1]](…)` and `[[1]][…]` are links with brackets in their text. */
export function wikiLinkAt(text: string, at: number): WikiLink | null {
  WIKI_LINK.lastIndex = at;
  const [whole, sign = "", inner = ""] = WIKI_LINK.exec(text) ?? [];
  if (whole === undefined || inner.trim() === "") return null;
  const end = at + whole.length;
  if (text[end] === "(" || (text[end] === "[" && text[end + 1] !== "[")) return null;
  const bar = inner.indexOf("|");
  const shown = bar < 0 || inner.slice(bar + 1).trim() === "" ? 0 : bar + 1;
  const to = end - 2;
  return { isEmbed: sign !== "", from: to - inner.length + shown, to, end, inner };
}
