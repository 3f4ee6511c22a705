/** Opens another page by a full load. A module by itself so that tests can mock it. */
export function loadPage(url: string): void {
  window.location.assign(url);
}
