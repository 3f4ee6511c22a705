import type { Delimiter, MarkdownIt, StateInline } from "markdown-it";

const TILDE = 0x7e;
/** Marks a single tilde, since only equal delimiters pair: `~one~` and `~~two~~`. */
const SINGLE_TILDE = 0x1_0000 + TILDE;

/** A markdown-it plugin for GFM's strikethrough with one tilde or two; the built-in one knows two only. */
export function strikethrough({ inline: { ruler, ruler2 } }: MarkdownIt): void {
  ruler.at("strikethrough", pushTildes);
  ruler2.at("strikethrough", (state) => {
    pair(state, state.delimiters);
    for (const meta of state.tokens_meta) if (meta?.delimiters) pair(state, meta.delimiters);
  });
}

function pushTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
  const token = state.push("text", "", 0);
  token.content = "~".repeat(length);
  state.pos += length;
  if (length > 2) return true;
  const marker = length === 2 ? TILDE : SINGLE_TILDE;
  state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open, close });
  return true;
}

function pair({ tokens }: StateInline, delimiters: Delimiter[]): void {
  for (const opener of delimiters) {
    if ((opener.marker !== TILDE && opener.marker !== SINGLE_TILDE) || opener.end < 0) continue;
    const closer = delimiters[opener.end];
    if (!closer) continue;
    for (const [{ token: index }, nesting] of [[opener, 1] as const, [closer, -1] as const]) {
      const token = tokens[index];
      if (token) Object.assign(token, { type: nesting === 1 ? "s_open" : "s_close", tag: "del", nesting, content: "" });
    }
  }
}
