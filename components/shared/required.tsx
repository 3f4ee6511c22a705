/** Marks a field that must be filled in, beside its label. Screen readers know it from the control itself. */
export function Required() {
  return (
    <span aria-hidden="true" className="text-muted-foreground text-sm">
      Required
    </span>
  );
}
