"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { progressOf, resultOf } from "@/components/publishing/job-words";
import { ErrorState } from "@/components/shared/error-state";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import { Card, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { CancelJob } from "@/components/work/cancel-job";
import { JobProgress } from "@/components/work/job-progress";
import { publishingJobsQuery, useCancelPublishing } from "@/lib/features/publishing/client";
import { BULK_WORDS, CANCEL_WORDS } from "@/lib/features/publishing/client/words";
import type { RecentPublishingJob } from "@/lib/features/publishing/schema";
import { isEnded, jobBadge } from "@/lib/features/work/states";

/** The newest publishing jobs of all projects. */
export function RecentPublishingJobs() {
  const { data, error, isFetching, refetch } = useQuery(publishingJobsQuery());
  return (
    <Card>
      <CardHeader>
        <CardTitle>Publishing</CardTitle>
      </CardHeader>
      {data ? (
        <Jobs jobs={data} />
      ) : (
        <div className="border-t p-4">
          {error ? (
            <ErrorState
              title="The publishing jobs did not load"
              error={error}
              pending={isFetching}
              onRetry={() => refetch()}
            />
          ) : (
            <Skeleton className="h-10" />
          )}
        </div>
      )}
    </Card>
  );
}

function Jobs({ jobs }: { jobs: RecentPublishingJob[] }) {
  if (jobs.length === 0) return <p className="border-t px-4 py-6 text-muted-foreground">No publishing jobs found</p>;
  return (
    <ul>
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
    </ul>
  );
}

function Job({ job }: { job: RecentPublishingJob }) {
  const cancel = useCancelPublishing();
  const isRunning = !isEnded(job.status);
  return (
    <li className="grid gap-x-6 gap-y-2 border-t px-4 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] md:items-center">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {BULK_WORDS[job.verb].doing} <StatusBadge {...jobBadge(job)} />
        </p>
        <Link
          dir="auto"
          className="wrap-anywhere text-link text-sm underline-offset-3 hover:underline"
          href={`/wp-publishing/${job.projectId}`}
        >
          {job.projectTitle}
        </Link>
      </div>
      {isRunning ? (
        <JobProgress job={job} name={`${BULK_WORDS[job.verb].doing}: ${job.projectTitle}`} counts={progressOf(job)}>
          {job.error ? <p className="wrap-anywhere text-sm text-warning">{job.error}</p> : null}
        </JobProgress>
      ) : (
        <p className="text-muted-foreground text-sm">
          {resultOf(job)}
          {job.completedAt ? (
            <>
              {" · "}
              <LocalTime at={job.completedAt} style="short" />
            </>
          ) : null}
        </p>
      )}
      {isRunning ? (
        <CancelJob
          job={job}
          cancel={cancel}
          description={CANCEL_WORDS}
          variant="ghost"
          aria-label={`Cancel: ${job.projectTitle}`}
        />
      ) : null}
    </li>
  );
}
