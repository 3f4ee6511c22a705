/** The state of a checkbox over these ids. */
export function checkedState(ids: string[], selected: ReadonlySet<string>): boolean | "indeterminate" {
  const selectedIds = ids.filter((id) => selected.has(id)).length;
  if (selectedIds === 0) return false;
  return selectedIds === ids.length ? true : "indeterminate";
}

/** The selection after a checkbox over these ids has changed. */
export function withChecked(selected: ReadonlySet<string>, ids: string[], checked: boolean): Set<string> {
  const next = new Set(selected);
  for (const id of ids) {
    if (checked) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** The selection without ids that were deleted or are no longer publishable. */
export function withoutMissing(selected: ReadonlySet<string>, ids: string[]): Set<string> {
  return new Set(ids.filter((id) => selected.has(id)));
}
