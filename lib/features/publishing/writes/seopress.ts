import "server-only";
import { isAppError } from "@/lib/errors";
import { unsentFields } from "@/lib/features/publishing/writes/identity";
import type { LeasedPiece } from "@/lib/features/publishing/writes/lease";
import type { Site } from "@/lib/features/sites/writes/connect";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { acceptedFields, META_FIELDS, type MetaField, type PostMeta } from "@/lib/wordpress/meta";

/** The fields for SEO plugins that a site takes: with SEOPress all of them, else those whose keys it shows. */
export function fieldsTakenBy({ hasSeoPress }: Site, shown: PostMeta): readonly MetaField[] {
  return hasSeoPress ? META_FIELDS : acceptedFields(shown);
}

/**
 * Gives SEOPress, where the site has it, what the piece's post was not given yet. Returns which fields count as given, also after a
 * refusal: they are not sent again until they change. None does where SEOPress did not answer. The text is live by then, so that
 * no failure stops it.
 */
export async function giveSeoPress(
  site: Site,
  { here, piece }: LeasedPiece,
  { id, shown }: { id: number; shown: PostMeta },
): Promise<{ given: readonly MetaField[]; note?: string }> {
  const given = fieldsTakenBy(site, shown);
  if (!site.hasSeoPress) return { given };
  try {
    await site.client.writeSeoPress(id, unsentFields(here, piece, given));
    return { given };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return isRefused(error) ? { given, note: REFUSED } : { given: [], note: NOT_ANSWERED };
  }
}

/** Did WordPress itself refuse it, and not only for now? */
function isRefused(error: unknown): boolean {
  if (!(error instanceof WordPressWriteError) || error.outcome !== "refused" || !error.answer) return false;
  const { status } = error.answer;
  return status < 500 && status !== TOO_MANY;
}

const TOO_MANY = 429;

const REFUSED =
  "SEOPress did not accept the SEO title, meta description or focus keyword: update SEOPress, or enter them on your site.";

const NOT_ANSWERED =
  "SEOPress did not answer when it was given the SEO title, meta description or focus keyword: publish again to send them.";
