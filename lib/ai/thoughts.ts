/**
 * Separates a model's thoughts from its text. Thoughts stand in tags or in gpt-oss's analysis channel at the beginning, in any
 * number of pairs, or before a closing mark that nothing opened. Later tags are text: a post may be about them.
 */
export type ThoughtSplitter = {
  /** Takes the next part, cut anywhere. */
  push: (part: string) => Split;
  /** Call it once, after the last part. */
  end: () => Split;
};

/** `restart`: discard the text so far, it was thoughts (or those turned out to be text), and begin with this one. */
export type Split = { text: string; restart: boolean; isThinking: boolean };

/** Up to this many characters are held back from a model that has left its thoughts unopened before. */
export const HELD_BACK = 20_000;

export function createThoughtSplitter({ holdBack = 0, mayBeUnopened = true } = {}): ThoughtSplitter {
  // The beginning that may become a mark; inside thoughts, what may become their closing mark.
  let held = "";
  let closing: RegExp | null = null;
  let text: ThoughtSplitter | null = null;

  function push(part: string): Split {
    if (text) return text.push(part);
    held += part;
    for (;;) {
      if (closing) {
        const end = closing.exec(held);
        if (!end) {
          held = held.slice(-MAX_MARK);
          return THINKING;
        }
        // A header that follows without an end mark is read next.
        held = held.slice(end[0] === "<|start|>" || end[0] === "<|channel|>" ? end.index : end.index + end[0].length);
        closing = null;
      }
      held = held.trimStart();
      const beginning = readBeginning(held);
      if (beginning === "undecided") return { ...NOTHING, isThinking: held.startsWith("<|") };
      const rest = held.slice(beginning.length);
      if (beginning.closing) {
        closing = beginning.closing;
        held = rest;
      } else {
        text = beginning.isChannel ? readChannelText() : readText(holdBack, mayBeUnopened);
        return text.push(rest);
      }
    }
  }

  function end(): Split {
    if (text) return text.end();
    if (closing || CHANNEL_MARK.test(held)) return NOTHING;
    return { ...NOTHING, text: held };
  }

  return { push, end };
}

/** The text of a whole answer, without its thoughts. */
export function withoutThoughts(answer: string): string {
  const splitter = createThoughtSplitter();
  const [first, last] = [splitter.push(answer), splitter.end()];
  return last.restart ? last.text : first.text + last.text;
}

const NOTHING: Split = { text: "", restart: false, isThinking: false };
const THINKING: Split = { ...NOTHING, isThinking: true };

const NAMES = ["think", "thinking", "thought", "reasoning", "reflection"];
const OPENING = new RegExp(`^<(${NAMES.join("|")})>`, "i");
const CHANNEL_MARKS = ["<|start|>", "<|channel|>", "<|message|>"];
const CHANNEL_MARK = /^<\|(?:start|channel|message)\|>/;
const CHANNEL_END = /<\|(?:end|return|call|start|channel)\|>/;
const BEGINNINGS = [...NAMES.map((name) => `<${name}>`), ...CHANNEL_MARKS];

/** The longest mark, with a backtick on each side. */
const MAX_MARK = "`<|channel|>analysis<|message|>`".length;
/** A channel's header names a role, a channel and a recipient. */
const MAX_HEADER = 200;

type Beginning = { length: number; closing?: RegExp; isChannel?: boolean };

function readBeginning(held: string): Beginning | "undecided" {
  const [tag, name] = OPENING.exec(held) ?? [];
  if (tag) return { length: tag.length, closing: new RegExp(`</${name}>`, "i") };
  if (CHANNEL_MARK.test(held)) return readHeader(held);
  const start = held.slice(0, MAX_MARK).toLowerCase();
  return BEGINNINGS.some((mark) => mark.startsWith(start)) ? "undecided" : { length: 0 };
}

function readHeader(held: string): Beginning | "undecided" {
  const end = held.slice(0, MAX_HEADER).indexOf("<|message|>");
  if (end === -1) return held.length < MAX_HEADER ? "undecided" : { length: 0 };
  const length = end + "<|message|>".length;
  const areThoughts = /<\|channel\|>\s*(?:analysis|commentary)/.test(held.slice(0, end));
  return areThoughts ? { length, closing: CHANNEL_END } : { length, isChannel: true };
}

/** The final channel's text, up to its end mark. */
function readChannelText(): ThoughtSplitter {
  let held = "";
  let isOver = false;
  return {
    push(part) {
      if (isOver) return NOTHING;
      held += part;
      const end = CHANNEL_END.exec(held);
      isOver = end !== null;
      const upTo = end ? end.index : startOfPartialMark(held);
      const text = held.slice(0, upTo);
      held = end ? "" : held.slice(upTo);
      return { ...NOTHING, text };
    },
    end: () => ({ ...NOTHING, text: held }),
  };
}

function startOfPartialMark(text: string): number {
  const start = text.lastIndexOf("<");
  return start !== -1 && text.length - start < MAX_MARK && /^<(?:\|\w*\|?)?$/.test(text.slice(start))
    ? start
    : text.length;
}

const TAGS = new RegExp(`<(/?)(${NAMES.join("|")})>|<\\|channel\\|>(analysis|final)<\\|message\\|>`, "gi");

/** Text as it comes. A closing mark without an opening one turns what came before it into thoughts. */
function readText(holdBack: number, mayBeUnopened: boolean): ThoughtSplitter {
  const parts: string[] = [];
  let length = 0;
  let shown = 0;
  let tail = "";
  let searchedTo = 0;
  let answer: ThoughtSplitter | null = null;
  let hasAnswer = false;
  let thoughtsEnd = 0;
  const opened = new Set<string>();

  function fromAnswer(split: Split, restart = split.restart): Split {
    hasAnswer ||= split.text.trim() !== "";
    return { ...split, restart };
  }

  function push(part: string): Split {
    parts.push(part);
    const before = length - tail.length;
    length += part.length;
    if (answer) return fromAnswer(answer.push(part));
    const recent = tail + part;
    const end = mayBeUnopened ? findUnopened(recent, before) : null;
    if (end !== null) {
      thoughtsEnd = before + end;
      answer = createThoughtSplitter({ mayBeUnopened: false });
      return fromAnswer(answer.push(recent.slice(end)), shown > 0);
    }
    tail = recent.slice(-MAX_MARK);
    return length > holdBack ? show() : { ...NOTHING, isThinking: true };
  }

  function show(): Split {
    const text = shown === 0 ? parts.join("") : (parts.at(-1) ?? "");
    shown = length;
    return { ...NOTHING, text };
  }

  /** Where the answer begins after a closing mark that nothing opened; null when there is none. */
  function findUnopened(recent: string, offset: number): number | null {
    for (const match of recent.matchAll(TAGS)) {
      const [mark, slash, name, channel] = match;
      const after = match.index + mark.length;
      if (offset + match.index < searchedTo) continue;
      // Code is text; the next part tells whether the mark is in backticks.
      const isQuoted = recent[match.index - 1] === "`";
      if (isQuoted && after === recent.length) return null;
      searchedTo = offset + after;
      if (isQuoted && recent[after] === "`" && slash) continue;
      const kind = (channel ? "channel" : (name ?? "")).toLowerCase();
      const isClosing = channel ? channel.toLowerCase() === "final" : slash === "/";
      if (!isClosing) opened.add(kind);
      // The channel's header is read with the answer.
      else if (!opened.has(kind)) return channel ? match.index : after;
    }
    return null;
  }

  function end(): Split {
    if (!answer) return shown === length ? NOTHING : show();
    const last = fromAnswer(answer.end());
    if (hasAnswer && thoughtsEnd <= MAX_UNOPENED * length) return last;
    return { ...NOTHING, text: parts.join(""), restart: true };
  }

  return { push, end };
}

/** A mark further on is one that the text is about. */
const MAX_UNOPENED = 0.8;
