import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "@/lib/client/api";
import { jobChanges } from "@/lib/client/changes";
import { invalidate, refetchNow } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { useQueryData } from "@/lib/client/use-query-data";
import { endedItems } from "@/lib/features/work/rules";
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

/** Cancels what is pending of a job; what is under way finishes. */
export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: JobOut) => api<JobOut>("POST", `/api/queue/jobs/${id}/cancel`),
    // We await this: the pressed button is replaced.
    onSuccess: () => refetchNow(client, keys.queueStatus()),
    onError: (error, { id }) => toastError(error, { fallback: "Failed to cancel the job", subject: `job:${id}` }),
  });
}

/** Retries the failed items of an ended job. */
export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: JobOut) => api<JobOut>("POST", `/api/queue/jobs/${id}/retry`),
    // We await this: the pressed button is replaced.
    onSuccess: () => refetchNow(client, keys.queueStatus()),
    onError: (error, { id }) => toastError(error, { fallback: "Failed to try the job again", subject: `job:${id}` }),
  });
}

/** Time allowed between a page's reads on the server and the first poll here, in milliseconds. */
const PAGE_MS = 5 * 60_000;

/** Invalidates what any job has done since the poll before; with the first poll, since the page was read. */
export function useFollowJobs(): void {
  const client = useQueryClient();
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  const known = useRef<Map<string, number>>(undefined);
  useEffect(() => {
    if (!status) return;
    const { jobs, now } = status;
    const before = known.current;
    const hasMoved = (job: JobOut) => before?.get(job.id) !== endedItems(job);
    const isRecent = ({ completedAt }: JobOut) => !completedAt || Date.parse(completedAt) > Date.parse(now) - PAGE_MS;
    invalidate(client, jobs.filter(before ? hasMoved : isRecent).flatMap(jobChanges));
    known.current = new Map(jobs.map((job) => [job.id, endedItems(job)]));
  }, [client, status]);
}
