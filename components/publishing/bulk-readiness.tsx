"use client";

import Link from "next/link";
import { useMemo } from "react";
import { Spinner } from "@/components/ui/spinner";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isLive } from "@/lib/features/content/states";
import { type Reviews, useReviews } from "@/lib/features/publishing/client/reviews";
import { newSlugOf } from "@/lib/features/publishing/rules";

/** Pieces that are checked before many are published: five calls. */
const MOST_CHECKED = 500;
/** Pieces that a question lists. */
const MOST_LISTED = 8;

/** `held`: the pieces that are not ready, of those that would go live. Unchecked ones count as ready. */
export type BulkReadiness = { isPending: boolean; held: ContentSummary[]; unchecked: number } & Pick<
  Reviews,
  "reviews"
>;

export function useBulkReadiness(pieces: ContentSummary[], isAsked: boolean): BulkReadiness {
  const news = useMemo(() => (isAsked ? pieces.filter((piece) => !isLive(piece)) : []), [pieces, isAsked]);
  const ids = useMemo(() => news.slice(0, MOST_CHECKED).map(({ id }) => id), [news]);
  const { reviews, isPending } = useReviews(ids);
  const held = news.filter(({ id }) => (reviews.get(id)?.holding ?? 0) > 0);
  return { isPending, reviews, held, unchecked: news.filter(({ id }) => !reviews.has(id)).length };
}

/** Says how many live posts an update gives a new address, as far as that is known. It holds nothing. */
export function NewAddresses({ pieces }: { pieces: ContentSummary[] }) {
  const ids = useMemo(() => pieces.slice(0, MOST_CHECKED).map(({ id }) => id), [pieces]);
  const { reviews } = useReviews(ids);
  const moved = pieces.filter((piece) => newSlugOf(piece, reviews.get(piece.id)?.slug ?? "")).length;
  if (moved === 0) return null;
  return (
    <p className="text-muted-foreground text-sm">
      {moved === 1
        ? "1 post gets a new address. WordPress redirects the old one."
        : `${moved.toLocaleString("en-US")} posts get new addresses. WordPress redirects the old ones.`}
    </p>
  );
}

/** What may be unfinished in many pieces: those that are not ready, and what else is to be said of the others. */
export function BulkReadyList({ isPending, held, reviews, unchecked }: BulkReadiness) {
  if (isPending) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted-foreground">
        <Spinner /> Checking the texts
      </p>
    );
  }
  const informed = [...reviews.values()].filter(({ holding, found }) => holding === 0 && found > 0).length;
  if (held.length === 0 && informed === 0 && unchecked === 0) return null;
  return (
    <section aria-label="What may be unfinished" className="grid gap-1 text-sm">
      {held.length > 0 ? (
        <>
          <p className="font-medium">
            {held.length === 1
              ? "1 piece is not ready:"
              : `${held.length.toLocaleString("en-US")} pieces are not ready:`}
          </p>
          <ul className="grid max-h-[30dvh] grid-cols-1 gap-1 overflow-y-auto">
            {held.slice(0, MOST_LISTED).map(({ id, title }) => (
              <li key={id} className="wrap-anywhere">
                <Link
                  href={`/content/${id}`}
                  prefetch={false}
                  dir="auto"
                  className="underline decoration-border-strong underline-offset-3 hover:decoration-current"
                >
                  {title}
                </Link>{" "}
                <span className="text-muted-foreground">{reviews.get(id)?.findings[0]?.sentence}</span>
              </li>
            ))}
          </ul>
          {held.length > MOST_LISTED ? (
            <p className="text-muted-foreground">And {(held.length - MOST_LISTED).toLocaleString("en-US")} more.</p>
          ) : null}
        </>
      ) : null}
      {informed > 0 ? (
        <p className="text-muted-foreground">
          {informed === 1 ? "1 other piece has" : `${informed.toLocaleString("en-US")} pieces have`} something that you
          may want to look at first. The editor lists it.
        </p>
      ) : null}
      {unchecked > 0 ? (
        <p className="text-muted-foreground">
          {unchecked === 1 ? "1 piece was" : `${unchecked.toLocaleString("en-US")} pieces were`} not checked.
        </p>
      ) : null}
    </section>
  );
}
