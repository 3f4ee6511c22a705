import { isSameSite } from "@/lib/wordpress/site-address";

/** Publish-all starts no piece after this time and reports the rest as TIME_BUDGET. */
export const PUBLISH_ALL_BUDGET_MS = 240_000;
export const MAX_CONCURRENT_PIECES = 4;

/** A piece may be published once it has body text and is more than a title. */
export const PUBLISHABLE = { hasBody: true, isTitleOnly: false } as const;

export function isPublishable(piece: { hasBody: boolean; isTitleOnly: boolean }): boolean {
  return piece.hasBody === PUBLISHABLE.hasBody && piece.isTitleOnly === PUBLISHABLE.isTitleOnly;
}

const SLUG_MAX = 80;

/** The slug requested for a new post: letters and digits of any script, joined by hyphens; WordPress may change it. */
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

/** A new post's first slug, which finds it again after a lost answer. */
export function markerSlug(contentId: string): string {
  return `content-planner-${contentId}`;
}

/** Are the piece's ids those of this site? */
export function isOnSite(piece: { wpSite: string | null; wpPostId: string | null }, apiRoot: string): boolean {
  return piece.wpPostId !== null && piece.wpSite !== null && isSameSite(piece.wpSite, apiRoot);
}
