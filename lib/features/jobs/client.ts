import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
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
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api<{ message: string; resumed: number }>("POST", "/api/queue/resume"),
    onSuccess: () => {
      toast({ title: "Processing Resumed", description: "Queue processing has been resumed successfully." });
      return client.invalidateQueries({ queryKey: keys.queueStatus() });
    },
    onError: (error) => toastError(error, { fallback: "Failed to resume processing" }),
  });
}

/** Cancels what waits; what runs ends by itself. */
export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api<JobOut>("POST", `/api/queue/jobs/${jobId}/cancel`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.queueStatus() }),
    onError: (error) => toastError(error, { fallback: "Failed to cancel the job" }),
  });
}

/** Tries the failed items of an ended job again. */
export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api<JobOut>("POST", `/api/queue/jobs/${jobId}/retry`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.queueStatus() }),
    onError: (error) => toastError(error, { fallback: "Failed to try the job again" }),
  });
}
