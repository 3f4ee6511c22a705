/** "1 heading", "3 headings". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** What every rule about the focus keyword says without one. */
export const NO_KEYWORD = {
  what: "No focus keyword is chosen.",
  mend: "Choose one under “Search engines”.",
};
