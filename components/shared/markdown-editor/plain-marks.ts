import type { Input } from "@lezer/common";
import type { MarkdownParser } from "@lezer/markdown";
import { plainMarks } from "@/lib/utils/block-marks";

/** Has the parser read other applications' bullets, and wide spaces after marks, as the published post has them. */
export function readPlainMarks(parser: MarkdownParser): MarkdownParser {
  const createParse = parser.createParse.bind(parser);
  parser.createParse = (input, ...rest) => createParse(new PlainMarks(input), ...rest);
  return parser;
}

/** A text line by line, as long as it is, so that positions stay. */
class PlainMarks implements Input {
  readonly lineChunks = true;

  constructor(readonly typed: Input) {}

  get length(): number {
    return this.typed.length;
  }

  chunk(from: number): string {
    const line = this.#lineAt(from);
    return plainMarks(
      line,
      () => this.#lineBefore(from),
      () => this.#lineAt(from + line.length + 1),
    );
  }

  read(from: number, to: number): string {
    return this.typed.read(from, to);
  }

  #lineAt(from: number): string {
    if (from >= this.length) return "";
    const chunk = this.typed.chunk(from);
    const end = chunk.indexOf("\n");
    return end < 0 ? chunk : chunk.slice(0, end);
  }

  #lineBefore(from: number): string {
    const end = from - 1;
    for (let size = 200; ; size *= 4) {
      const text = this.typed.read(Math.max(0, end - size), Math.max(0, end));
      const start = text.lastIndexOf("\n") + 1;
      if (start > 0 || size >= end) return text.slice(start);
    }
  }
}
