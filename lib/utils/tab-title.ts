/** The browser tab's title of a page. */
export function tabTitle(page: string): string {
  return `${page} – Content Planner`;
}
