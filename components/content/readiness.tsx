"use client";

import Link from "next/link";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { Place } from "@/lib/features/content/seo/material";
import type { Review } from "@/lib/features/content/seo/review";
import { useReviews } from "@/lib/features/publishing/client/reviews";

/**
 * What may be unfinished in a piece, the findings that hold a publish before the others. `found`: how many there are in all.
 * Nothing is known of a text that cannot be reviewed.
 */
export type Readiness = {
  isPending: boolean;
  isUnknown: boolean;
  findings: { sentence: string; holds: boolean; place?: Place | null }[];
  found: number;
  holding: number;
  /** That of a piece in a list. */
  slug?: string | null;
};

/** Findings that a question lists. */
const MOST = 8;

/** Asks about a piece that is only in a list, once `isAsked`. */
export function useReadiness(id: string, isAsked: boolean): Readiness {
  const ids = useMemo(() => (isAsked ? [id] : []), [id, isAsked]);
  const { reviews, isPending } = useReviews(ids);
  const review = reviews.get(id);
  return review ? { ...review, isPending: false, isUnknown: false } : { ...NOTHING, isPending, isUnknown: !isPending };
}

/** The same of a piece that is reviewed as it is written. */
export function readinessIn(review: Review | null): Readiness {
  if (!review) return { ...NOTHING, isPending: true, isUnknown: false };
  if ("problem" in review) return { ...NOTHING, isPending: false, isUnknown: true };
  const { findings } = review;
  const holding = findings.filter(({ holds }) => holds).length;
  return { isPending: false, isUnknown: false, findings, found: findings.length, holding };
}

const NOTHING = { findings: [], found: 0, holding: 0 };

/**
 * A press on "Publish" waits until it is known whether the text is ready, and then acts, unless something holds it: that takes
 * another press, on "Publish anyway".
 */
export function useReadyPress({ isPending, holding }: Pick<Readiness, "isPending" | "holding">, act: () => void) {
  const [isWaiting, setWaiting] = useState(false);
  const actNow = useEffectEvent(act);
  useEffect(() => {
    if (!isWaiting || isPending) return;
    setWaiting(false);
    if (holding === 0) actNow();
  }, [isWaiting, isPending, holding]);
  return { isWaiting, press: () => (isPending ? setWaiting(true) : act()), forget: () => setWaiting(false) };
}

/** What may be unfinished, in a question before the piece is published. Each finding leads to its place. */
export function ReadyList({
  readiness: { isPending, isUnknown, findings, found, holding },
  pieceId,
  holds = true,
  onGoTo,
}: {
  readiness: Readiness;
  pieceId: string;
  /** False for an update, which waits for nothing. */
  holds?: boolean;
  /** In the editor; elsewhere a finding leads there. */
  onGoTo?: ((place: Place) => void) | undefined;
}) {
  if ((isPending || isUnknown) && !holds) return null;
  if (isPending) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted-foreground">
        <Spinner /> Checking the text
      </p>
    );
  }
  if (isUnknown) return <p className="text-muted-foreground">The text could not be checked.</p>;
  if (found === 0) return null;
  const shown = findings.slice(0, MOST);
  return (
    <section aria-label="What may be unfinished" className="text-sm">
      <p className="font-medium">
        {holding > 0 && holds ? "This piece is not ready:" : "You may want to look at this first:"}
      </p>
      <ul className="mt-1 grid max-h-[30dvh] grid-cols-1 overflow-y-auto">
        {shown.map(({ sentence, holds, place }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings may have the same words.
          <li key={index} className="flex items-baseline gap-2 wrap-anywhere">
            <span aria-hidden="true" className={holds ? "text-warning" : "text-muted-foreground"}>
              •
            </span>
            <Finding sentence={sentence} place={place} pieceId={pieceId} onGoTo={onGoTo} />
          </li>
        ))}
      </ul>
      {found > shown.length ? (
        <p className="mt-1 text-muted-foreground">And {(found - shown.length).toLocaleString("en-US")} more.</p>
      ) : null}
    </section>
  );
}

const LEADING = "underline decoration-border-strong underline-offset-3 hover:decoration-current";

function Finding({
  sentence,
  place,
  pieceId,
  onGoTo,
}: {
  sentence: string;
  place: Place | null | undefined;
  pieceId: string;
  onGoTo: ((place: Place) => void) | undefined;
}) {
  if (!onGoTo)
    return (
      <Link href={`/content/${pieceId}`} prefetch={false} className={LEADING}>
        {sentence}
      </Link>
    );
  if (!place) return <span>{sentence}</span>;
  return (
    <Button
      variant="link"
      className="h-auto min-h-(--control-sm) justify-start whitespace-normal p-0 text-start font-normal text-sm"
      onClick={() => onGoTo(place)}
    >
      {sentence}
    </Button>
  );
}
