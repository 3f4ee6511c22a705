"use client";

import Link from "next/link";
import { afterRender, useFocusHandover } from "@/components/shared/focus-return";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import { Button } from "@/components/ui/button";
import { CancelJob } from "@/components/work/cancel-job";
import { JobProgress } from "@/components/work/job-progress";
import { shortId, timeInWords, topicNameOf } from "@/components/work/queue-view";
import { placeRow } from "@/lib/client/page-place";
import { useCancelJob, useRetryJob } from "@/lib/features/work/client";
import type { JobOut } from "@/lib/features/work/schema";
import { isEnded, jobBadge, PROCESSING_BADGES } from "@/lib/features/work/states";
import { cn } from "@/lib/utils/cn";

const KIND: Record<JobOut["jobType"], string> = {
  outline_generation: "Outline generation",
  content_generation: "Content generation",
};

/** A job with its progress, failures, times and actions; `secondsLeft` is null if it is not known. */
export function JobRow({
  job,
  isWaiting,
  secondsLeft,
}: {
  job: JobOut;
  /** No spinner turns for what only waits. */
  isWaiting: boolean;
  secondsLeft: number | null;
}) {
  const name = `${KIND[job.jobType]}: ${topicNameOf(job)}`;
  const row = useFocusHandover<HTMLLIElement>();
  return (
    <li
      ref={row}
      id={rowId(job)}
      {...placeRow(job.id)}
      className="grid gap-x-6 gap-y-3 border-t px-4 py-3 first:border-t-0 md:grid-cols-[minmax(0,1fr)_minmax(200px,280px)] xl:col-span-full xl:grid-cols-subgrid xl:items-center"
    >
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {KIND[job.jobType]} <StatusBadge {...jobBadge(job)} {...(isWaiting && { look: "waiting" })} />
        </p>
        <p className="mt-0.5 text-muted-foreground text-sm [overflow-wrap:anywhere]">
          <span dir="auto">{topicNameOf(job)}</span> <span className="tabular-nums">{shortId(job.id)}</span>
        </p>
      </div>
      <JobProgress
        job={job}
        name={name}
        counts={
          <>
            <span>Completed: {job.completedItems.toLocaleString("en-US")}</span>
            <span className={job.failedItems > 0 ? "text-destructive" : undefined}>
              Failed: {job.failedItems.toLocaleString("en-US")}
            </span>
            {job.cancelledItems > 0 ? <span>Cancelled: {job.cancelledItems.toLocaleString("en-US")}</span> : null}
            <span>Total: {job.totalItems.toLocaleString("en-US")}</span>
            {secondsLeft === null ? null : <span>{timeInWords(secondsLeft)} left</span>}
          </>
        }
      />
      <p className="grid whitespace-nowrap text-muted-foreground text-sm tabular-nums">
        <span>Started {job.startedAt ? <LocalTime at={job.startedAt} style="short" /> : "–"}</span>
        <span>
          {PROCESSING_BADGES[isEnded(job.status) ? job.status : "completed"].label}{" "}
          {job.completedAt ? <LocalTime at={job.completedAt} style="short" /> : "–"}
        </span>
      </p>
      <span
        className={cn(
          "flex justify-end empty:hidden max-xl:justify-start",
          // The words of its ghost buttons stand in line with the row's.
          !isEnded(job.status) && "max-xl:-ml-3",
        )}
      >
        <JobActions job={job} name={name} />
      </span>
    </li>
  );
}

function rowId({ id }: JobOut): string {
  return `job-${id}`;
}

function JobActions({ job, name }: { job: JobOut; name: string }) {
  const cancel = useCancelJob();
  const retry = useRetryJob();

  function tryAgain() {
    retry
      .mutateAsync(job)
      // The job has moved to the active ones and has another button: focus that.
      .then(() => afterRender(() => document.getElementById(rowId(job))?.querySelector("button")?.focus()))
      // The mutation has shown a toast.
      .catch(() => undefined);
  }

  if (!isEnded(job.status)) {
    return (
      <>
        {job.jobType === "content_generation" ? (
          <Button asChild variant="ghost" size="sm">
            <Link href={`/queue-monitor/${job.id}`} aria-label={`Watch ${name}`}>
              Watch
            </Link>
          </Button>
        ) : null}
        <CancelJob
          job={job}
          cancel={cancel}
          description="Pending items will not be started. What is being written stops after the section it is at; finished sections are kept."
          variant="ghost"
          aria-label={`Cancel ${name}`}
        />
      </>
    );
  }
  if (job.failedItems === 0) return null;
  return (
    <Button variant="outline" size="sm" pending={retry.isPending} onClick={tryAgain}>
      Retry failed items
    </Button>
  );
}
