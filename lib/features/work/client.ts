import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "@/lib/client/api";
import { type Change, jobChanges } from "@/lib/client/changes";
import { invalidate, refetchNow } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { useQueryData } from "@/lib/client/use-query-data";
import type { JobOut, QueueStatus } from "@/lib/features/work/schema";

export const QUEUE_POLL_MS = 10_000;

/** The user's queues: polled, and refetched when the screen is opened or focused. */
export function queueStatusQuery() {
  return queryOptions({
    queryKey: keys.queueStatus(),
    queryFn: () => api<QueueStatus>("GET", "/api/queue/status"),
    refetchInterval: QUEUE_POLL_MS,
    refetchOnWindowFocus: "always",
    refetchOnMount: "always",
  });
}

export function useResumeProcessing() {
  return useMutation({
    mutationFn: () => api<{ message: string; resumed: number }>("POST", "/api/queue/resume"),
    onSuccess: () =>
      toast({
        title: "Processing Resumed",
        description: "Queue processing has been resumed successfully.",
        subject: "resume",
      }),
    onError: (error) => toastError(error, { fallback: "Failed to resume processing", subject: "resume" }),
  });
}

/** Cancels the waiting items; running ones finish. */
export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api<JobOut>("POST", `/api/queue/jobs/${jobId}/cancel`),
    // We await this: the pressed button is replaced.
    onSuccess: () => refetchNow(client, keys.queueStatus()),
    onError: (error, jobId) => toastError(error, { fallback: "Failed to cancel the job", subject: `job:${jobId}` }),
  });
}

/** Retries the failed items of an ended job. */
export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api<JobOut>("POST", `/api/queue/jobs/${jobId}/retry`),
    // We await this: the pressed button is replaced.
    onSuccess: () => refetchNow(client, keys.queueStatus()),
    onError: (error, jobId) => toastError(error, { fallback: "Failed to try the job again", subject: `job:${jobId}` }),
  });
}

/** Invalidates what any job has finished, with each poll, whichever screen or tab started it. */
export function useFollowJobs(): void {
  const client = useQueryClient();
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  const previous = useRef<QueueStatus>(undefined);
  useEffect(() => {
    if (!status) return;
    invalidate(client, previous.current ? progress(previous.current, status) : recentWork(status));
    previous.current = status;
  }, [client, status]);
}

/** What jobs have done between two polls. */
export function progress(before: QueueStatus, now: QueueStatus): Change[] {
  const known = new Map(before.jobs.map((job) => [job.id, endedItems(job)]));
  return now.jobs.filter((job) => known.get(job.id) !== endedItems(job)).flatMap(jobChanges);
}

/** Time allowed between a page's reads on the server and the first poll here, in milliseconds. */
const PAGE_MS = 5 * 60_000;

/** What may have been done since the page was read, for the first poll. */
export function recentWork({ jobs, now }: QueueStatus): Change[] {
  const since = Date.parse(now) - PAGE_MS;
  return jobs.filter(({ completedAt }) => !completedAt || Date.parse(completedAt) > since).flatMap(jobChanges);
}

function endedItems({ completedItems, failedItems, cancelledItems }: JobOut): number {
  return completedItems + failedItems + cancelledItems;
}
