/** The editor's own scripts, fetched after the page has loaded. */
export async function loadEditor() {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
  }
  return import("@/components/shared/markdown-editor/create-editor");
}
