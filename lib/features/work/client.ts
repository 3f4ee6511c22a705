import {
  infiniteQueryOptions,
  queryOptions,
  replaceEqualDeep,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, apiPage } from "@/lib/client/api";
import { type Change, jobChanges } from "@/lib/client/changes";
import { invalidate, refetchNow } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { useQueryData } from "@/lib/client/use-query-data";
import { type PieceWork, workOn } from "@/lib/features/work/client/changes";
import { endedItems } from "@/lib/features/work/rules";
import type { JobOut, JobType, Need, QueueGroup, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";

export const QUEUE_POLL_MS = 10_000;

/** The user's queues: polled, and refetched when the screen is opened or focused. */
export function queueStatusQuery() {
  return queryOptions({
    queryKey: keys.queueStatus(),
    queryFn: () => api<QueueStatus>("GET", "/api/queue/status"),
    // An answer may be older than what the stream has told meanwhile.
    structuralSharing: (before, after) => newest(before as QueueStatus | undefined, after as QueueStatus),
    refetchInterval: QUEUE_POLL_MS,
    refetchOnWindowFocus: "always",
    refetchOnMount: "always",
  });
}

function newest(before: QueueStatus | undefined, after: QueueStatus): QueueStatus {
  return before && before.now > after.now ? before : replaceEqualDeep(before, after);
}

/** What the queues do with a piece, as far as the status tells; undefined: nothing. */
export function usePieceWork(piece: Parameters<typeof workOn>[0]): PieceWork | undefined {
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  return status && workOn(piece, status);
}

/** The rows of a queue in one state, page by page, in their order; the status has the first of them. */
export function queueItemsQuery(kind: JobType, status: QueueGroup) {
  return infiniteQueryOptions({
    queryKey: keys.queueItems({ kind, status }),
    queryFn: ({ pageParam }) => apiPage<QueueItemOut>(pageParam),
    initialPageParam: `/api/queue/items?kind=${kind}&status=${status}`,
    getNextPageParam: (page) => page.next,
  });
}

/** Ends a pause too. The answer says what it did. */
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

export type Resume = ReturnType<typeof useResumeProcessing>;

/** Pauses the queues; calls under way finish. */
export function usePauseProcessing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api<{ pausedAt: string }>("POST", "/api/queue/pause"),
    // We await this: the pressed button is replaced.
    onSuccess: () => refetchNow(client, keys.queueStatus()),
    onError: (error) => toastError(error, { fallback: "Failed to pause processing", subject: "pause" }),
  });
}

const ITEM_FALLBACK = {
  retry: "Failed to retry the item",
  cancel: "Failed to cancel the item",
  next: "Failed to move the item to the front",
} as const;

export type ItemVerb = keyof typeof ITEM_FALLBACK;

/** Tries an item again, cancels it, or has it done before the others. */
export function useQueueItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ item, verb }: { item: QueueItemOut; verb: ItemVerb }) =>
      api<QueueItemOut>("POST", `/api/queue/items/${item.id}/${verb}`),
    onSuccess: () => refetchNow(client, keys.queueStatus()),
    onError: (error, { item, verb }) =>
      toastError(error, { fallback: ITEM_FALLBACK[verb], subject: `item:${item.id}` }),
  });
}

/** Selects the failures that a need is about. */
function filterOf({ reason, jobType, project }: Need) {
  return { reason, ...(jobType && { jobType }), ...(project && { projectId: project.id }) };
}

/** Tries what failed for a reason again, or all that failed. */
export function useRetryFailed() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (need: Need | null) =>
      api<{ message: string }>("POST", "/api/queue/retry-failed", need ? filterOf(need) : {}),
    onSuccess: ({ message }) => {
      toast({ title: "Trying again", description: message, subject: "retry-failed" });
      return refetchNow(client, keys.queueStatus());
    },
    onError: (error) => toastError(error, { fallback: "Failed to retry these items", subject: "retry-failed" }),
  });
}

/** Takes failures off the list of what needs the user. */
export function useDismissFailed() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (need: Need) => api<{ dismissed: number }>("POST", "/api/queue/dismiss-failed", filterOf(need)),
    onSuccess: () => refetchNow(client, keys.queueStatus()),
    onError: (error) => toastError(error, { fallback: "Failed to dismiss these items", subject: "dismiss-failed" }),
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

/** Lists are read again at most this often while jobs change them. */
const LISTS_EVERY_MS = 1_000;

/** Invalidates what any job has done since the status before; with the first one, since the page was read. */
export function useFollowJobs(): void {
  const client = useQueryClient();
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  const known = useRef<Map<string, number>>(undefined);
  const due = useRef<Change[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  useEffect(() => {
    if (!status) return;
    const { jobs, now } = status;
    const before = known.current;
    const hasMoved = (job: JobOut) => before?.get(job.id) !== endedItems(job);
    const isRecent = ({ completedAt }: JobOut) => !completedAt || Date.parse(completedAt) > Date.parse(now) - PAGE_MS;
    due.current.push(...jobs.filter(before ? hasMoved : isRecent).flatMap(jobChanges));
    invalidateDue();
    known.current = new Map(jobs.map((job) => [job.id, endedItems(job)]));

    function invalidateDue() {
      if (timer.current !== undefined || due.current.length === 0) return;
      invalidate(client, due.current.splice(0));
      timer.current = setTimeout(() => {
        timer.current = undefined;
        invalidateDue();
      }, LISTS_EVERY_MS);
    }
  }, [client, status]);
}
