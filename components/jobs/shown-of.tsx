/** How many of the rows there are stand in the card, where that is not all of them. */
export function ShownOf({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null;
  return (
    <span className="text-muted-foreground text-sm tabular-nums">
      showing {shown} of {total.toLocaleString("en-US")}
    </span>
  );
}
