import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/client/api";
import { type Changed, changesOfJob } from "@/lib/client/changes";
import { markChanged, refetched } from "@/lib/client/live";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import type { JobOut, QueueStatus } from "@/lib/features/jobs/schema";

/** How often the queues are asked for, in milliseconds. */
export const QUEUE_POLL_MS = 10_000;

/** The person's queues, asked every ten seconds and whenever the screen is opened or looked at again. */
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

/** Cancels what waits; what runs ends by itself. */
export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api<JobOut>("POST", `/api/queue/jobs/${jobId}/cancel`),
    // Awaited, because the pressed button is replaced.
    onSuccess: () => refetched(client, keys.queueStatus()),
    onError: (error, jobId) => toastError(error, { fallback: "Failed to cancel the job", subject: `job:${jobId}` }),
  });
}

/** Tries the failed items of an ended job again. */
export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api<JobOut>("POST", `/api/queue/jobs/${jobId}/retry`),
    // Waited for: the button that was pressed is another one then.
    onSuccess: () => refetched(client, keys.queueStatus()),
    onError: (error, jobId) => toastError(error, { fallback: "Failed to try the job again", subject: `job:${jobId}` }),
  });
}

/** Follows every job, whichever screen or tab began it, and marks what it has finished with each poll. */
export function useFollowJobs(): void {
  const client = useQueryClient();
  useEffect(() => {
    let before: QueueStatus | undefined;
    return client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== "updated" || query.queryKey[0] !== keys.queueStatus()[0]) return;
      const now = query.state.data as QueueStatus | undefined;
      if (!now) return;
      const changes = before ? progress(before, now) : recentWork(now);
      before = now;
      markChanged(client, changes);
    });
  }, [client]);
}

/** What jobs have done between two polls. */
export function progress(before: QueueStatus, now: QueueStatus): Changed[] {
  const known = new Map(before.jobs.map((job) => [job.id, endedItems(job)]));
  return now.jobs.filter((job) => known.get(job.id) !== endedItems(job)).flatMap(changesOfJob);
}

/** Time allowed between a page's reads on the server and the first poll here, in milliseconds. */
const PAGE_MS = 5 * 60_000;

/** For the first poll: what may have been done since the page was read. */
export function recentWork({ jobs, now }: QueueStatus): Changed[] {
  const since = Date.parse(now) - PAGE_MS;
  return jobs.filter(({ completedAt }) => !completedAt || Date.parse(completedAt) > since).flatMap(changesOfJob);
}

function endedItems({ completedItems, failedItems, cancelledItems }: JobOut): number {
  return completedItems + failedItems + cancelledItems;
}
