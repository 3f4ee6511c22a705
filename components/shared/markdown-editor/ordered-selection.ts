import { EditorState } from "@codemirror/state";

/**
 * Puts the caret where a change has replaced the selected words and more on both sides. The library maps the ends of such a
 * selection past each other, and what works on it then throws.
 */
export const orderedSelection = EditorState.transactionFilter.of((transaction) => {
  const { changes, docChanged, selection, startState } = transaction;
  const { main } = startState.selection;
  if (!docChanged || selection || main.empty) return transaction;
  const { from, to } = main.map(changes);
  if (from <= to) return transaction;
  return [transaction, { selection: { anchor: changes.mapPos(main.head) }, sequential: true }];
});
