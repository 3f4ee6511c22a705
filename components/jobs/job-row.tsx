"use client";

import { useState } from "react";
import { failuresOf, shortId } from "@/components/jobs/queue-view";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import { Button } from "@/components/ui/button";
import { onceDrawn, useFocusHandover } from "@/components/ui/focus-return";
import { Progress } from "@/components/ui/progress";
import { useCancelJob, useRetryJob } from "@/lib/features/jobs/client";
import { progressPercent } from "@/lib/features/jobs/rules";
import type { JobOut } from "@/lib/features/jobs/schema";

const KIND: Record<JobOut["jobType"], string> = {
  outline_generation: "Outline generation",
  content_generation: "Content generation",
};

/** One job: how far it is, what failed, when it began and ended, and what can be done about it. */
export function JobRow({ job }: { job: JobOut }) {
  const percent = progressPercent(job);
  const failed = job.totalItems === 0 ? 0 : Math.min(percent, Math.round((job.failedItems / job.totalItems) * 100));
  const failures = failuresOf(job);
  const name = `${KIND[job.jobType]}: ${job.topicName || `Topic ${job.topicId}`}`;
  const line = useFocusHandover<HTMLLIElement>();
  return (
    <li
      ref={line}
      id={lineId(job)}
      className="grid gap-x-6 gap-y-3 border-t px-4 py-3 first:border-t-0 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:[&>:not(:first-child,:last-child)]:col-span-2 md:grid-cols-[minmax(0,1fr)_minmax(200px,280px)] xl:col-span-full xl:grid-cols-subgrid xl:items-center"
    >
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {KIND[job.jobType]}{" "}
          <StatusBadge status={failures ? "failed" : job.status} view="processing" says={failures} />
        </p>
        <p className="mt-0.5 text-muted-foreground text-sm [overflow-wrap:anywhere]">
          <span dir="auto">{job.topicName || `Topic ${job.topicId}`}</span>{" "}
          <span className="tabular-nums">{shortId(job.id)}</span>
        </p>
      </div>
      <div className="grid gap-1.5">
        <Progress value={percent} failed={failed} label={`${name}, ${percent} percent done`} />
        <p className="flex flex-wrap gap-x-3 text-muted-foreground text-sm tabular-nums">
          <span>Completed: {job.completedItems}</span>
          <span className={job.failedItems > 0 ? "text-destructive" : undefined}>Failed: {job.failedItems}</span>
          {job.cancelledItems > 0 ? <span>Cancelled: {job.cancelledItems}</span> : null}
          <span>Total: {job.totalItems}</span>
          <span className="ml-auto text-foreground">{percent}%</span>
        </p>
      </div>
      <p className="grid whitespace-nowrap text-muted-foreground text-sm tabular-nums">
        <span>Started {job.startedAt ? <LocalTime at={job.startedAt} style="short" /> : "–"}</span>
        <span>
          {failures ? "Ended" : "Completed"} {job.completedAt ? <LocalTime at={job.completedAt} style="short" /> : "–"}
        </span>
      </p>
      <span className="flex justify-end max-md:-mr-2.5 max-md:col-start-2 max-md:row-start-1 md:max-xl:justify-start empty:hidden">
        <JobActions job={job} name={name} />
      </span>
    </li>
  );
}

function lineId({ id }: JobOut): string {
  return `job-${id}`;
}

function JobActions({ job, name }: { job: JobOut; name: string }) {
  const [asking, setAsking] = useState(false);
  const cancel = useCancelJob();
  const retry = useRetryJob();

  function tryAgain() {
    retry
      .mutateAsync(job.id)
      // The job stands among the active ones by now, with another button: the keyboard goes on there.
      .then(() => onceDrawn(() => document.getElementById(lineId(job))?.querySelector("button")?.focus()))
      // It is told already.
      .catch(() => undefined);
  }

  if (job.completedAt !== null) {
    if (job.failedItems === 0) return null;
    return (
      <Button variant="outline" size="sm" pending={retry.isPending} onClick={tryAgain}>
        Retry failed items
      </Button>
    );
  }
  if (job.cancelRequestedAt !== null) return <span className="text-muted-foreground text-sm">Cancelling…</span>;
  return (
    <>
      <Button variant="ghost" size="sm" aria-label={`Cancel ${name}`} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this job?"
        description="What is waiting will not be started. What is being written stops after the section it is at; finished sections are kept."
        confirmLabel="Cancel job"
        destructive
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate(job.id, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
