/** Which of these ids are chosen: all, none, or some. */
export function checkedState(ids: string[], selected: ReadonlySet<string>): boolean | "indeterminate" {
  const chosen = ids.filter((id) => selected.has(id)).length;
  if (chosen === 0) return false;
  return chosen === ids.length ? true : "indeterminate";
}

/** The selection after a box over these ids was ticked or cleared. */
export function withChecked(selected: ReadonlySet<string>, ids: string[], checked: boolean): Set<string> {
  const next = new Set(selected);
  for (const id of ids) {
    if (checked) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** Chosen pieces that are still there: one that was deleted or is no longer publishable drops out. */
export function stillThere(selected: ReadonlySet<string>, ids: string[]): Set<string> {
  return new Set(ids.filter((id) => selected.has(id)));
}
