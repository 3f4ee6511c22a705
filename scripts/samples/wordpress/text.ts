/** WordPress' slug for a title: `Größe & Maß` → `grosse-mass`; other scripts are percent-encoded. */
export function slugOf(title: string): string {
  const plain = title
    .replace(/<[^>]*>/g, "")
    .replace(/&[a-z0-9#]+;/gi, "")
    .replaceAll("ß", "s")
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
  const encoded = [...plain].map((character) => {
    if (/[a-z0-9_-]/.test(character)) return character;
    if (/\s/.test(character)) return "-";
    return /[\p{L}\p{N}\p{So}]/u.test(character) ? encodeURIComponent(character).toLowerCase() : "";
  });
  return encoded.join("").replace(/-+/g, "-").replace(/^-|-$/g, "").slice(0, 200);
}

export function escapeHtml(text: string): string {
  return text
    .replace(/&(?!(?:[a-z]+|#\d+|#x[0-9a-f]+);)/gi, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A category name as WordPress stores it. */
export function storedName(name: string): string {
  return escapeHtml(name.replace(/<[^>]*>/g, ""))
    .replace(/\s+/g, " ")
    .trim();
}

/** A field as the plugin in public/wordpress stores it. */
export function storedMeta(text: string): string {
  return text
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** What WordPress' own `sanitize_text_field` makes of a text; it takes `%da` for an encoded character. */
export function sanitizedText(text: string): string {
  return storedMeta(text)
    .replace(/%[\da-f]{2}/gi, "")
    .replace(/ +/g, " ")
    .trim();
}

/** What WordPress filters from the HTML of users without `unfiltered_html`, as far as our posts can contain it. */
export function filteredHtml(html: string): string {
  return html.replace(/<\/?(?:script|iframe|form|input|svg|style|object|embed)\b[^>]*>/gi, "");
}

/** Filters a title in the same way. */
export function filteredTitle(title: string): string {
  return escapeHtml(filteredHtml(title)).replaceAll("&quot;", '"');
}

/** Removes the block comments from markup, as for visitors. */
export function renderedBlocks(content: string): string {
  return content.replace(/<!-- \/?wp:.*?-->\n?/gs, "").trim();
}
