/** Something in a text that its readers will not get. */
export type Loss = {
  kind: LossKind;
  sentence: string;
  /** Its place in the text, in UTF-16 units. */
  position: number;
};
export type LossKind = keyof typeof SENTENCES;

export const MAX_LOSSES = 100;

/** The paragraph at the end of a text that the AI provider has not finished. */
export const UNFINISHED_MARK = "[unfinished: the AI provider broke off here]";

const SENTENCES = {
  element: (source: string) => `${short(source)} is left out, with what is inside it.`,
  comment: () => "A comment is left out.",
  frontMatter: () => "The front matter is left out.",
  embeddedFile: (source: string) =>
    `The file ${short(source)} is in your notes, not on the web. Upload it to your site and use its address.`,
  localPicture: (source: string) =>
    source === ""
      ? "A picture is left out: it has no address."
      : `The picture ${short(source)} is not on the web. Upload it to your site and use its address.`,
  fadingPicture: (source: string) =>
    `The picture ${short(source)} will not last: its address expires within days. Upload it to your site and use its address.`,
  link: (source: string) =>
    `The link to ${short(source)} is left out, and its words stay: its address is not one of the web.`,
  target: (source: string) => `The link to ${short(source)} leads nowhere: no heading has that name.`,
  unfinished: () => "The AI did not finish this text. Write the rest, then delete this line.",
  footnote: (source: string) => `The footnote ${short(source)} is left out: nothing refers to it.`,
} as const;

function short(source: string): string {
  const text = source.replace(/\s+/g, " ").trim();
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Told of what readers will not get, as the text has it. */
export type Lost = (kind: LossKind, source: string) => void;

export type Losses = ReturnType<typeof collectLosses>;

/** Collects what a text loses on its way to readers, by the line of the block in which it is. */
export function collectLosses(text: string) {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  const startOf = (line: number) => lineStarts[line] ?? text.length;
  const found: Loss[] = [];
  let [start, end, done] = [0, text.length, 0];

  return {
    /** What is lost from here on is in these lines. */
    within([first, after]: readonly [number, number]) {
      if (startOf(first) !== start) done = startOf(first);
      [start, end] = [startOf(first), startOf(after)];
    },

    /** `source` is what the text has there. Its place is looked for in the lines being read, unless it is known. */
    add(kind: LossKind, source: string, position?: number) {
      if (found.length >= MAX_LOSSES) return;
      const place = text.slice(done, end).indexOf(source);
      if (position === undefined && place >= 0) done += place + source.length;
      const looked = place >= 0 ? done - source.length : start;
      found.push({ kind, sentence: SENTENCES[kind](source), position: Math.max(0, position ?? looked) });
    },

    list(): Loss[] {
      return found.toSorted((a, b) => a.position - b.position);
    },
  };
}
