/** An upper limit that is promised, and one to aim for. */
export type Limit = { must: number; aim: number };

/** Reported but never enforced, because machines differ. */
export function verdict(value: number, { must, aim }: Limit): string {
  if (value > must) return "missed";
  return value > aim ? "held" : "held, and the aim";
}

/** Median and spread: a single slow round does not move them. */
export function spread(values: number[]): { median: number; p10: number; p90: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p10: quantile(sorted, 0.1), p90: quantile(sorted, 0.9) };
}

/** Kilobytes of 1,000 bytes, as browsers count them. */
export function kilobytes(bytes: number): number {
  return bytes / 1_000;
}

/** Aligned columns, numbers to the right. */
export function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => place(cell, widths[column] ?? 0)).join("  ");
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].map((text) => text.trimEnd());
}

function place(cell: string, width: number): string {
  return /^[\d.]+( \(|$)/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}

/** A quantile of values in ascending order; NaN if there are none. */
export function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
