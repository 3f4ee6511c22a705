/** As if the editor's scripts did not load. */
export async function loadEditor(): Promise<never> {
  throw new Error("not under jest");
}
