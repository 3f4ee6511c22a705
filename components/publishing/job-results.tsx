"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { endOf, progressOf } from "@/components/publishing/job-words";
import { ErrorState } from "@/components/shared/error-state";
import { LocalTime } from "@/components/shared/local-time";
import { ModalContent } from "@/components/shared/modal-content";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { StatusBadge } from "@/components/shared/status-badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Label } from "@/components/ui/label";
import { Skeleton } from "@/components/ui/skeleton";
import { publishingResultsQuery } from "@/lib/features/publishing/client";
import { STANDING } from "@/lib/features/publishing/client/words";
import type { PublishingJobOut, PublishingResultOut } from "@/lib/features/publishing/schema";
import { endedItems } from "@/lib/features/work/rules";
import { isEnded, PROCESSING_BADGES } from "@/lib/features/work/states";

/** What became of each piece of a job. Loaded when it is first opened. */
export function JobResults({
  job,
  open,
  onOpenChange,
}: {
  job: PublishingJobOut;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent>
        <DialogHeader>
          <DialogTitle>Results of the job</DialogTitle>
          <DialogDescription>{isEnded(job.status) ? endOf(job) : progressOf(job)}.</DialogDescription>
        </DialogHeader>
        {job.failedItems > 0 ? (
          <Label className="flex items-center gap-2">
            <Checkbox checked={onlyFailed} onCheckedChange={(value) => setOnlyFailed(value === true)} />
            Only failed pieces ({job.failedItems.toLocaleString("en-US")})
          </Label>
        ) : null}
        <Results job={job} onlyFailed={onlyFailed && job.failedItems > 0} />
      </ModalContent>
    </Dialog>
  );
}

function Results({ job, onlyFailed }: { job: PublishingJobOut; onlyFailed: boolean }) {
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    publishingResultsQuery(job.id, { ...(onlyFailed ? { status: "failed" as const } : {}), ended: endedItems(job) }),
  );
  if (!data && error) return <ErrorState error={error} pending={isFetching} onRetry={() => refetch()} />;
  if (!data) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">The results are loading</span>
        {[1, 2, 3].map((key) => (
          <Skeleton key={key} className="h-12" />
        ))}
      </div>
    );
  }
  return (
    <ScrollRegion className="-mx-1 max-h-[60dvh] px-1">
      <ul>
        {data.pages
          .flatMap(({ items }) => items)
          .map((result) => (
            <Result key={result.contentId} result={result} />
          ))}
      </ul>
      {hasNextPage ? (
        <Button variant="outline" size="sm" pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </ScrollRegion>
  );
}

function Result({
  result: { contentId, title, status, unchanged, error, detail, wpPermalink, wpPostStatus, wpPostDate },
}: {
  result: PublishingResultOut;
}) {
  const standing = STANDING[wpPostStatus ?? ""]?.title;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t py-2 first:border-t-0">
      <div className="min-w-0 flex-1 basis-60">
        <Link dir="auto" className="wrap-anywhere underline-offset-3 hover:underline" href={`/content/${contentId}`}>
          {title}
        </Link>
        {error ? (
          <p className="wrap-anywhere text-destructive text-sm">{[error, detail].filter(Boolean).join(" ")}</p>
        ) : null}
        {standing ? (
          <p className="text-muted-foreground text-sm">
            {standing}
            {wpPostDate ? <LocalTime before=" for " at={wpPostDate} style="short" /> : null}
          </p>
        ) : null}
        {detail && !error ? <p className="wrap-anywhere text-muted-foreground text-sm">{detail}</p> : null}
      </div>
      <StatusBadge {...PROCESSING_BADGES[status]} {...(unchanged ? { label: "No change needed" } : {})} />
      <span className="grid size-8 place-items-center">
        {wpPermalink ? (
          <Button asChild variant="ghost" size="icon-sm">
            <a href={wpPermalink} target="_blank" rel="noreferrer" aria-label={`Open the post “${title}”`}>
              <ExternalLink aria-hidden="true" />
            </a>
          </Button>
        ) : null}
      </span>
    </li>
  );
}
