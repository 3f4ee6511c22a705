"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { doingOf, endOf, progressOf } from "@/components/publishing/job-words";
import { SiteQuestionNotice } from "@/components/publishing/site-question";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { dialogTriggerProps, lazyDialog } from "@/components/shared/lazy-dialog";
import { LocalTime } from "@/components/shared/local-time";
import { Notice } from "@/components/shared/notice";
import { ProgressBar } from "@/components/shared/progress-bar";
import { Button } from "@/components/ui/button";
import { failuresOf } from "@/lib/features/jobs/states";
import {
  endedItems,
  isRunning,
  publishingResultsQuery,
  useCancelPublishing,
  useFindPublishing,
  useRetryPublishing,
} from "@/lib/features/publishing/client";
import type { PublishingJobOut, PublishingResultOut } from "@/lib/features/publishing/schema";

const JobResults = lazyDialog(() => import("@/components/publishing/job-results").then((module) => module.JobResults));

/** The project's latest publishing job: its progress, or how it ended. */
export function PublishingJob({ projectId }: { projectId: number }) {
  const latest = useFindPublishing(projectId);
  if (!latest?.job) return null;
  const { job, engineAwaySince } = latest;
  return (
    <section aria-label="Publishing job" className="grid grid-cols-1 gap-3">
      {isRunning(job) ? <Running job={job} engineAwaySince={engineAwaySince} /> : <Ended key={job.id} job={job} />}
    </section>
  );
}

function Running({ job, engineAwaySince }: { job: PublishingJobOut; engineAwaySince: string | null }) {
  const percent = percentOf(job, endedItems(job));
  return (
    <>
      <div className="grid gap-3 rounded-md border bg-card px-4 py-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 font-medium">{doingOf(job)}</p>
          <span className="flex items-center gap-2">
            <ResultsButton job={job} />
            <CancelButton job={job} />
          </span>
        </div>
        <ProgressBar
          value={percent}
          failed={Math.min(percent, percentOf(job, job.failedItems))}
          label={`${doingOf(job)}, ${percent} percent done`}
        />
        <p className="flex flex-wrap gap-x-3 text-muted-foreground text-sm">
          <span aria-live="polite" className="tabular-nums">
            {progressOf(job)}
          </span>
          <span>You can leave this page: it goes on in the background.</span>
        </p>
      </div>
      {engineAwaySince ? (
        <Notice live variant="warning" title="The job engine does not answer">
          Nothing is lost: the job goes on as soon as it is back. It went away{" "}
          <LocalTime at={engineAwaySince} style="short" />.
        </Notice>
      ) : job.error ? (
        <Notice
          live
          variant="warning"
          title="Your site cannot be reached"
          action={
            <Button asChild variant="outline" size="sm">
              <Link href="/settings">Go to Settings</Link>
            </Button>
          }
        >
          {job.error} The job tries again by itself.
        </Notice>
      ) : null}
    </>
  );
}

function percentOf({ totalItems }: PublishingJobOut, items: number): number {
  return totalItems === 0 ? 0 : Math.floor((items / totalItems) * 100);
}

function CancelButton({ job }: { job: PublishingJobOut }) {
  const [isConfirming, setConfirming] = useState(false);
  const cancel = useCancelPublishing();
  if (job.cancelRequestedAt !== null) return <span className="text-muted-foreground text-sm">Cancelling…</span>;
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setConfirming(true)}>
        Cancel
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Cancel this job?"
        description="Pending pieces stay as they are. What is being written to your site finishes."
        confirmLabel="Cancel job"
        destructive
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate(job, { onSettled: () => setConfirming(false) })}
      />
    </>
  );
}

function Ended({ job }: { job: PublishingJobOut }) {
  const retry = useRetryPublishing();
  const isQuestion = job.errorType === "SITE_UNCERTAIN" && job.failedItems > 0;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        <p className="min-w-0 flex-1 text-muted-foreground tabular-nums max-md:basis-full">
          Last job: {endOf(job)}
          {job.completedAt ? (
            <>
              {" · "}
              <LocalTime at={job.completedAt} style="short" />
            </>
          ) : null}
        </p>
        <span className="flex flex-wrap items-center gap-2 max-md:-ml-2.5">
          <ResultsButton job={job} />
          {job.failedItems > 0 && !isQuestion ? (
            <Button variant="outline" size="sm" pending={retry.isPending} onClick={() => retry.mutate({ job })}>
              Retry failed pieces
            </Button>
          ) : null}
        </span>
      </div>
      {isQuestion ? (
        <SiteQuestionNotice
          question={job.error ?? ""}
          pending={retry.isPending}
          onAnswer={(site) => retry.mutate({ job, site })}
        />
      ) : job.failedItems > 0 ? (
        <Failures job={job} />
      ) : null}
    </>
  );
}

function ResultsButton({ job }: { job: PublishingJobOut }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" size="sm" {...dialogTriggerProps(isOpen, () => setOpen(true))}>
        Results
      </Button>
      <JobResults job={job} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

/** Failures shown at most; the results have them all. */
const MAX_FAILURES = 5;

function Failures({ job }: { job: PublishingJobOut }) {
  const { data } = useInfiniteQuery(publishingResultsQuery(job.id, { status: "failed", ended: endedItems(job) }));
  const failures = data?.pages.flatMap(({ items }) => items) ?? [];
  const more = job.failedItems - Math.min(failures.length, MAX_FAILURES);
  return (
    <Notice live variant="destructive" title={failuresOf(job)}>
      {failures.length > 0 ? (
        <ul className="grid gap-1">
          {failures.slice(0, MAX_FAILURES).map((failure) => (
            <Failure key={failure.contentId} failure={failure} />
          ))}
          {more > 0 ? <li>and {more.toLocaleString("en-US")} more</li> : null}
        </ul>
      ) : null}
    </Notice>
  );
}

function Failure({ failure: { contentId, title, error, detail } }: { failure: PublishingResultOut }) {
  return (
    <li className="wrap-anywhere">
      <Link dir="auto" className="underline underline-offset-3" href={`/content/${contentId}`}>
        {title}
      </Link>
      : {[error, detail].filter(Boolean).join(" ")}
    </li>
  );
}
