import type { Line, Text } from "@codemirror/state";

/** The lines that this part of the text touches. */
export function* linesBetween(doc: Text, from: number, to: number): Generator<Line> {
  for (let at = from; at <= to; ) {
    const line = doc.lineAt(at);
    yield line;
    at = line.to + 1;
  }
}
