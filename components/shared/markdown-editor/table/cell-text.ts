/** What a cell shows for editing: its Markdown, with the pipes that a row of a table escapes as they are. */
export function shownText(source: string): string {
  return source.replace(/\\([\s\S])/g, (pair, character) => (character === "|" ? "|" : pair));
}

/** The Markdown of a cell that shows this. A pipe after a backslash is escaped already. */
export function sourceText(shown: string): string {
  return shown.replace(/\\[\s\S]|\|/g, (found) => (found === "|" ? "\\|" : found));
}

/** The place in the Markdown of a place in what is shown. */
export function sourcePlace(shown: string, place: number): number {
  return sourceText(shown.slice(0, place)).length;
}

/** The place in what is shown of a place in its Markdown. */
export function shownPlace(shown: string, place: number): number {
  let source = 0;
  for (let at = 0; at < shown.length; at += 1) {
    if (source >= place) return at;
    if (shown[at] === "\\") {
      // It keeps the character after it as it is.
      source += 1;
      if (source >= place) return at + 1;
      at += 1;
    }
    source += shown[at] === "|" && shown[at - 1] !== "\\" ? 2 : 1;
    if (source > place) return at;
  }
  return shown.length;
}
