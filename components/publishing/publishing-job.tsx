"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { TriangleAlert, X } from "lucide-react";
import Link from "next/link";
import { type ReactNode, type Ref, useRef, useState } from "react";
import { endOf, progressOf } from "@/components/publishing/job-words";
import { SiteAnswers } from "@/components/publishing/site-question";
import { afterRender } from "@/components/shared/focus-return";
import { dialogTriggerProps, lazyDialog } from "@/components/shared/lazy-dialog";
import { LocalTime } from "@/components/shared/local-time";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Button } from "@/components/ui/button";
import { CancelJob } from "@/components/work/cancel-job";
import { JobProgress } from "@/components/work/job-progress";
import {
  publishingResultsQuery,
  useCancelPublishing,
  useFollowPublishing,
  useRetryPublishing,
} from "@/lib/features/publishing/client";
import { BULK_WORDS, CANCEL_WORDS } from "@/lib/features/publishing/client/words";
import type { PublishingJobOut, PublishingResultOut } from "@/lib/features/publishing/schema";
import { endedItems } from "@/lib/features/work/rules";
import { failuresOf, isEnded } from "@/lib/features/work/states";
import { cn } from "@/lib/utils/cn";

const JobResults = lazyDialog(() => import("@/components/publishing/job-results").then((module) => module.JobResults));

/**
 * The project's latest publishing job. One that runs, or has failures, is in a frame of one height: whatever happens to the
 * job, the list below stays where it is until the user closes the frame.
 */
export function PublishingJob({ projectId }: { projectId: number }) {
  const latest = useFollowPublishing(projectId);
  const cancel = useCancelPublishing();
  const [kept, setKept] = useState<{ id: string; isOpen: boolean } | null>(null);
  const results = useRef<HTMLButtonElement>(null);
  if (!latest?.job) return null;
  const { job, engineAwaySince } = latest;
  const isRunning = !isEnded(job.status);
  const keep = (isOpen: boolean) => setKept({ id: job.id, isOpen });
  const isOpen = kept?.id === job.id ? kept.isOpen : job.failedItems > 0;
  if (isRunning && !(kept?.id === job.id && isOpen)) keep(true);
  const isFramed = isOpen || isRunning;

  function close() {
    keep(false);
    afterRender(() => results.current?.focus());
  }

  return (
    <section
      aria-label="Publishing job"
      className={cn(
        "relative text-sm",
        isFramed && "flex h-60 flex-col gap-3 rounded-md border bg-card px-4 py-3 md:h-40",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {isRunning ? (
          <p className="min-w-0 flex-1 font-medium text-base">{BULK_WORDS[job.verb].doing}</p>
        ) : (
          <p
            className={cn(
              "min-w-0 flex-1 tabular-nums max-md:basis-full",
              isFramed ? "max-md:pr-8" : "text-muted-foreground",
            )}
          >
            Last job: {endOf(job)}
            {job.completedAt ? (
              <>
                {" · "}
                <LocalTime at={job.completedAt} style="short" />
              </>
            ) : null}
          </p>
        )}
        <span className={cn("flex flex-wrap items-center gap-2", !isQuestion(job) && "max-md:-ml-2.5")}>
          {isQuestion(job) ? null : <ResultsButton ref={results} job={job} />}
          {isRunning ? (
            <CancelJob job={job} cancel={cancel} description={CANCEL_WORDS} variant="outline" />
          ) : (
            <NextStep job={job} />
          )}
        </span>
        {isFramed && !isRunning && !isQuestion(job) ? (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Close the result"
            className="max-md:absolute max-md:top-1 max-md:right-1"
            onClick={close}
          >
            <X aria-hidden="true" />
          </Button>
        ) : null}
      </div>
      {isFramed ? (
        <ScrollRegion className="-mx-1 min-h-0 flex-1 px-1">
          {isRunning ? <Running job={job} engineAwaySince={engineAwaySince} /> : <Ended job={job} />}
        </ScrollRegion>
      ) : null}
    </section>
  );
}

function isQuestion({ errorType, failedItems }: PublishingJobOut): boolean {
  return errorType === "SITE_UNCERTAIN" && failedItems > 0;
}

/** How far a job has come, and what holds it up. */
function Running({ job, engineAwaySince }: { job: PublishingJobOut; engineAwaySince: string | null }) {
  return (
    <JobProgress job={job} name={BULK_WORDS[job.verb].doing} counts={<span aria-live="polite">{progressOf(job)}</span>}>
      {engineAwaySince ? (
        <Trouble tone="text-warning" title="The job engine does not answer">
          Nothing is lost: the job goes on as soon as it is back. It went away{" "}
          <LocalTime at={engineAwaySince} style="short" />.
        </Trouble>
      ) : job.error ? (
        <Trouble tone="text-warning" title="Your site cannot be reached">
          {job.error} The job tries again by itself.{" "}
          <Link href="/settings" className="text-link underline underline-offset-3">
            Go to Settings
          </Link>
        </Trouble>
      ) : (
        <p className="text-muted-foreground">You can leave this page: it goes on in the background.</p>
      )}
    </JobProgress>
  );
}

/** What is wrong with a job. It is read out when it appears. */
function Trouble({ tone, title, children }: { tone: string; title: string; children: ReactNode }) {
  return (
    <div role="alert" className="max-w-[110ch] wrap-anywhere">
      <p className={cn("flex items-center gap-2 font-medium", tone)}>
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0 stroke-[1.75]" />
        {title}
      </p>
      {children}
    </div>
  );
}

/** What a job that has ended leaves to do. */
function NextStep({ job }: { job: PublishingJobOut }) {
  const retry = useRetryPublishing();
  if (job.failedItems === 0) return null;
  if (isQuestion(job))
    return <SiteAnswers pending={retry.isPending} onAnswer={(site) => retry.mutate({ job, site })} />;
  return (
    <Button variant="outline" size="sm" pending={retry.isPending} onClick={() => retry.mutate({ job })}>
      Retry failed pieces
    </Button>
  );
}

/** Why a job that has ended did not do all. */
function Ended({ job }: { job: PublishingJobOut }) {
  if (isQuestion(job)) {
    return (
      <Trouble tone="text-warning" title="Which site is this?">
        {job.error} Nothing is published there until you have answered.
      </Trouble>
    );
  }
  return job.failedItems > 0 ? <Failures job={job} /> : null;
}

function ResultsButton({ ref, job }: { ref: Ref<HTMLButtonElement>; job: PublishingJobOut }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button ref={ref} variant="ghost" size="sm" {...dialogTriggerProps(isOpen, () => setOpen(true))}>
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
    <Trouble tone="text-destructive" title={failuresOf(job)}>
      {failures.length > 0 ? (
        <ul className="grid gap-1">
          {failures.slice(0, MAX_FAILURES).map((failure) => (
            <Failure key={failure.contentId} failure={failure} />
          ))}
          {more > 0 ? <li>and {more.toLocaleString("en-US")} more</li> : null}
        </ul>
      ) : null}
    </Trouble>
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
