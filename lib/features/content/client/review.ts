import { startTransition, useEffect, useState } from "react";
import { inWorker, type NoAnswer } from "@/lib/client/in-worker";
import { PAUSE_MS, startReviewWorker } from "@/lib/features/content/client/start-review-worker";
import type { Reviewed } from "@/lib/features/content/seo/material";
import type { Review } from "@/lib/features/content/seo/review";
import type { Loss } from "@/lib/markdown/losses";

/**
 * The review of a piece as it is being written, made in a worker: the screen goes on meanwhile, with the review before it.
 * Null until the first one. `piece` is a new object only when something in it has changed.
 */
export function useReview(piece: Reviewed): Review | null {
  const [review, setReview] = useState<Review | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const review = async () => {
      const next = await inWorker<Review>(startReviewWorker, piece, stop.signal, (why) => ({
        problem: sentenceOf(why),
      }));
      if (next && !stop.signal.aborted) startTransition(() => setReview(next));
    };
    const timer = setTimeout(review, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [piece]);
  return review;
}

/** What readers will not get; none while it is not known. */
export function lossesIn(review: Review | null): Loss[] {
  return review && "losses" in review && review.losses.length > 0 ? review.losses : NO_LOSSES;
}

/** One empty list for all: the screen does not render again for another. */
const NO_LOSSES: Loss[] = [];

function sentenceOf(why: NoAnswer): string {
  if (why === "notLoaded") return "The rules could not be loaded. Check your connection, then reload the page.";
  if (why === "broke") return "Your browser gave up on judging this text. Divide it, then try again.";
  return `Judging this text takes longer than ${why.slowerThan} seconds. Divide it, then try again.`;
}
