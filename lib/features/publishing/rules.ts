import { isSameSite } from "@/lib/utils/site-address";

/** Publish-all starts no piece after this time and reports the rest as TIME_BUDGET, so that calling again goes on. */
export const PUBLISH_ALL_BUDGET_MS = 240_000;
/** Pieces published at once. */
export const PIECES_AT_ONCE = 4;

const SLUG_MAX = 80;

/** The slug a new post asks for: letters and digits of any script, hyphens between; WordPress has the last word. */
export function permalinkSlug(title: string): string {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word.slice(0, SLUG_MAX) : `${slug}-${word}`;
    if (longer.length > SLUG_MAX) break;
    slug = longer;
  }
  return slug;
}

/** The slug under which a piece's post is looked for after a lost answer. */
export function markerSlug(contentId: string): string {
  return `content-planner-${contentId}`;
}

/** Its ids count only while the piece's site is the person's site of today. */
export function isOnSite(piece: { wpSite: string | null; wpPostId: string | null }, apiRoot: string): boolean {
  return piece.wpPostId !== null && piece.wpSite !== null && isSameSite(piece.wpSite, apiRoot);
}
