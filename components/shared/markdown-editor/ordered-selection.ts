import type { Transaction } from "@codemirror/state";

/**
 * Puts the caret where a change has replaced the selected words and more on both sides. The library maps the ends of such a
 * selection past each other, and what works on it then throws. Undo does so too, and passes filters by.
 */
export function withOrderedSelection(transactions: readonly Transaction[]): readonly Transaction[] {
  const last = transactions.at(-1);
  if (!last?.docChanged) return transactions;
  const { from, to } = last.newSelection.main;
  return from <= to ? transactions : [...transactions, last.state.update({ selection: { anchor: to } })];
}
