/** Leaves for another page by a full load. */
export function loadPage(url: string): void {
  window.location.assign(url);
}
