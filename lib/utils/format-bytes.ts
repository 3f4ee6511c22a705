const UNITS = ["KB", "MB", "GB", "TB"];
const STEP = 1024;

/** Returns a text such as "1.2 MB", rounded down, so that nothing looks full before it is. */
export function formatBytes(bytes: number): string {
  if (bytes > 0 && bytes < STEP) return "less than 1 KB";
  let size = bytes / STEP;
  let unit = 0;
  for (; size >= STEP && unit < UNITS.length - 1; unit++) size /= STEP;
  const shown = size < 10 && unit > 0 ? Math.floor(size * 10) / 10 : Math.floor(size);
  return `${shown.toLocaleString("en-US")} ${UNITS[unit]}`;
}
