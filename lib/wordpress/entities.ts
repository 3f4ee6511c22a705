/**
 * A title as a site shows it in the user's own words: WordPress puts titles into its pages as HTML, and strips an author's
 * tags. An ampersand is encoded only where it begins what would be read as a reference.
 */
export function encodeTitle(title: string): string {
  return title
    .replace(/&(?=(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)/gi, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Encodes a name as WordPress stores it. */
export function encodeEntities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
