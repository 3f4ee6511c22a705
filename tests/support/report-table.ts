/** Rows as a Markdown table; what a row does not have stays empty. */
export function markdownTable(rows: Record<string, string | number | undefined>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, names.map(() => "---"), ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellOf(value: string | number | undefined): string {
  return String(value ?? "")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");
}
