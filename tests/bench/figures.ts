/** A promise of so much at most, and what is aimed at. */
export type Limit = { must: number; aim: number };

/** Whether a figure keeps its promise: said, never enforced, because machines differ. */
export function verdict(value: number, { must, aim }: Limit): string {
  if (value > must) return "missed";
  return value > aim ? "held" : "held, and the aim";
}

/** The middle and the spread of what the rounds gave: one slow round moves none of them. */
export function spread(values: number[]): { median: number; p10: number; p90: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p10: quantile(sorted, 0.1), p90: quantile(sorted, 0.9) };
}

/** Thousands of bytes, as browsers count them. */
export function kilobytes(bytes: number): number {
  return bytes / 1_000;
}

/** Columns as wide as their widest cell; figures stand at the right. */
export function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => place(cell, widths[column] ?? 0)).join("  ");
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].map((text) => text.trimEnd());
}

function place(cell: string, width: number): string {
  return /^[\d.]+( \(|$)/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}

function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
