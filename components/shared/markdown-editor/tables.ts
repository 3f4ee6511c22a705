import type { Extension } from "@codemirror/state";
import { type CellOptions, cellEditor } from "@/components/shared/markdown-editor/table/cell-editor";
import { moving } from "@/components/shared/markdown-editor/table/moving";
import { tableField } from "@/components/shared/markdown-editor/table/state";

/** Shows tables as tables, which are edited cell by cell. Those in lists and quotes stay Markdown. */
export function tables(options: CellOptions): Extension {
  return [tableField, moving, cellEditor(options)];
}
