import type { MarkdownIt } from "markdown-it";
import { withPlainMarks } from "@/lib/utils/block-marks";

/**
 * A markdown-it plugin for other applications' bullets and for wide spaces after marks. The block rules see marks that they
 * know; what they take out of the text is as it was typed.
 */
export function blockMarks({ block }: MarkdownIt): void {
  block.State = class extends block.State {
    readonly typed: string;

    constructor(...[typed, ...rest]: ConstructorParameters<typeof block.State>) {
      super(withPlainMarks(typed), ...rest);
      this.typed = typed;
    }

    override getLines(...lines: Parameters<InstanceType<typeof block.State>["getLines"]>): string {
      const plain = this.src;
      this.src = this.typed;
      const taken = super.getLines(...lines);
      this.src = plain;
      return taken;
    }
  };
}
