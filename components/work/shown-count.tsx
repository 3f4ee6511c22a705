/** "showing 50 of 120"; nothing if all rows are shown. */
export function ShownCount({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null;
  return (
    <span className="text-muted-foreground text-sm tabular-nums">
      showing {shown.toLocaleString("en-US")} of {total.toLocaleString("en-US")}
    </span>
  );
}
