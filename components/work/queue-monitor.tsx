"use client";

import { useQuery } from "@tanstack/react-query";
import { Pause, Play, RotateCw } from "lucide-react";
import { useEffect } from "react";
import { RecentPublishingJobs } from "@/components/publishing/recent-jobs";
import { ErrorState } from "@/components/shared/error-state";
import { LocalTime } from "@/components/shared/local-time";
import { Notice } from "@/components/shared/notice";
import { PageHeader } from "@/components/shared/page-header";
import { Card, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { FoldedGroup } from "@/components/work/folded-group";
import { JobRow } from "@/components/work/job-row";
import { NeedsYou } from "@/components/work/needs-you";
import { QueueTable } from "@/components/work/queue-table";
import { failureNote, groupJobs, isWaiting, secondsLeft } from "@/components/work/queue-view";
import { ShownCount } from "@/components/work/shown-count";
import { queueStatusQuery, type Resume, usePauseProcessing, useResumeProcessing } from "@/lib/features/work/client";
import type { JobOut, QueueStatus } from "@/lib/features/work/schema";
import { isEnded } from "@/lib/features/work/states";
import { cn } from "@/lib/utils/cn";

/** The columns on wide screens, shared by all rows of a list. */
const JOB_COLUMNS = "xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(0,340px)_220px_auto]";

/** The state of all background jobs and queues. */
export function QueueMonitor() {
  const { data, error, isFetching, refetch } = useQuery(queueStatusQuery());
  const resume = useResumeProcessing();
  const pause = usePauseProcessing();
  const isStopped = data?.needs.some(({ kind }) => kind !== "failed") ?? false;
  const isLive = data?.jobs.some(({ status }) => !isEnded(status)) ?? false;
  const isRunning = isLive && !data?.pausedAt;
  const { reset } = resume;
  // What Resume did is old news once the queues have stopped again.
  useEffect(() => {
    if (!isRunning) reset();
  }, [isRunning, reset]);
  const failure = (
    <ErrorState title="The queues did not load" error={error} pending={isFetching} onRetry={() => refetch()} />
  );
  return (
    <>
      <div className="grid grid-cols-1 gap-6">
        <PageHeader
          title="Queue Monitor"
          description={
            <span role="status">Updates by itself.{resume.data?.resumed ? ` ${resume.data.message}` : null}</span>
          }
          isBarInFlow={!isStopped && !isLive}
          back={{ href: "/", label: "Back to Home" }}
          actions={[
            {
              label: "Refresh",
              variant: "outline",
              icon: <RotateCw aria-hidden="true" />,
              pending: isFetching,
              onSelect: () => refetch(),
            },
            ...(isRunning
              ? [
                  {
                    label: "Pause",
                    variant: "outline",
                    icon: <Pause aria-hidden="true" />,
                    pending: pause.isPending,
                    onSelect: () => pause.mutate(),
                    isMain: !isStopped,
                  } as const,
                ]
              : []),
            {
              label: "Resume Processing",
              variant: isStopped ? "default" : "outline",
              icon: <Play aria-hidden="true" />,
              pending: resume.isPending,
              onSelect: () => resume.mutate(),
              isMain: isStopped || !isLive,
            },
          ]}
        />
        {data ? <Queues status={data} resume={resume} /> : error ? failure : <Loading />}
      </div>
      {/* These come and go by themselves: at the lower edge they move no row. */}
      <div className="sticky bottom-4 z-3 mt-6 grid gap-3 empty:hidden max-md:tall:bottom-[calc(var(--page-bar)+8px)]">
        {data && error ? failure : null}
        {data?.engineAwaySince ? (
          <Notice live variant="warning" title="The job engine does not answer">
            Nothing is lost: pending items start as soon as it is back. It went away{" "}
            <LocalTime at={data.engineAwaySince} style="short" />.
          </Notice>
        ) : null}
      </div>
    </>
  );
}

function Queues({ status, resume }: { status: QueueStatus; resume: Resume }) {
  const { active, shown, folded, done } = groupJobs(status.jobs, status.total.jobs);
  const processing = shown.filter((job) => job.status === "processing").length;
  const partlyFailed = done.rows.filter(({ failedItems }) => failedItems > 0).length;
  const { counts, total, pace, runAddress } = status;
  return (
    <>
      <NeedsYou needs={status.needs} resume={resume} />
      <Card>
        <CardHeader>
          <CardTitle>Processing Jobs</CardTitle>
          <ShownCount shown={active.rows.length} total={active.total} />
        </CardHeader>
        <div aria-live="polite" className="sr-only">
          {processing} {processing === 1 ? "job" : "jobs"} processing
        </div>
        {status.jobs.length === 0 ? (
          <p className="border-t px-4 py-6 text-muted-foreground">No processing jobs found</p>
        ) : null}
        {shown.length > 0 ? (
          <section aria-labelledby="active-jobs" className="border-t">
            <h3 id="active-jobs" className="px-4 pt-3 text-muted-foreground text-sm">
              Active Jobs
            </h3>
            <Jobs jobs={shown} status={status} />
            <FoldedGroup
              id="cancelled-jobs"
              label="More cancelled jobs"
              shown={folded.rows.length}
              total={folded.total}
            >
              <Jobs jobs={folded.rows} className="border-t" />
            </FoldedGroup>
          </section>
        ) : null}
        <FoldedGroup
          id="completed-jobs"
          label="Completed Jobs"
          shown={done.rows.length}
          total={done.total}
          note={failureNote(partlyFailed, "with failures")}
        >
          <Jobs jobs={done.rows} className="border-t" />
        </FoldedGroup>
      </Card>
      <QueueTable
        kind="outline_generation"
        title="Outline Generation Queue"
        empty="No items in outline queue"
        items={status.outlineQueue}
        total={total.outlineQueue}
        completed={counts.outlineCompleted}
        pace={pace.outlineQueue}
        runAddress={runAddress}
      />
      <QueueTable
        kind="content_generation"
        title="Content Generation Queue"
        empty="No items in content queue"
        items={status.contentQueue}
        total={total.contentQueue}
        completed={counts.contentCompleted}
        pace={pace.contentQueue}
        runAddress={runAddress}
      />
      <Statistics counts={counts} />
      <RecentPublishingJobs />
    </>
  );
}

/** `status` tells how long live jobs still take. */
function Jobs({ jobs, status, className }: { jobs: JobOut[]; status?: QueueStatus; className?: string }) {
  return (
    <ul className={cn(JOB_COLUMNS, className)}>
      {jobs.map((job) => (
        <JobRow
          key={job.id}
          job={job}
          isWaiting={status !== undefined && isWaiting(job, status)}
          secondsLeft={status ? secondsLeft(job, status) : null}
        />
      ))}
    </ul>
  );
}

function Statistics({ counts }: { counts: QueueStatus["counts"] }) {
  const figures = [
    ["Outline Pending", counts.outlinePending],
    ["Outline Completed", counts.outlineCompleted],
    ["Content Pending", counts.contentPending],
    ["Content Completed", counts.contentCompleted],
  ] as const;
  return (
    <Card>
      <CardHeader>
        <CardTitle>Queue Statistics</CardTitle>
      </CardHeader>
      <dl className="grid grid-cols-2 border-t md:grid-cols-4">
        {figures.map(([label, figure]) => (
          <div
            key={label}
            className="grid gap-1 px-4 py-4 not-first:border-l max-md:nth-3:border-l-0 max-md:nth-[n+3]:border-t"
          >
            <dt className="text-muted-foreground text-sm">{label}</dt>
            <dd className="text-xl tabular-nums">{figure.toLocaleString("en-US")}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Loading() {
  return (
    <div className="grid grid-cols-1 gap-6" role="status" aria-label="Loading the queues">
      <Skeleton className="h-40" />
      <Skeleton className="h-32" />
      <Skeleton className="h-32" />
      <Skeleton className="h-32" />
    </div>
  );
}
