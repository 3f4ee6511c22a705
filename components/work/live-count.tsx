"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";
import { QUEUE_POLL_MS, queueStatusQuery } from "@/lib/features/work/client";
import type { QueueStatus } from "@/lib/features/work/schema";
import { isEnded } from "@/lib/features/work/states";

/** The number of pending and processing jobs. */
export function LiveCount() {
  return usePathname() === "/queue-monitor" ? <MonitorCount /> : <PolledCount />;
}

/** The count on the queue monitor, which polls by itself. */
function MonitorCount() {
  return <Count jobs={liveJobs(useQueryData<QueueStatus>(keys.queueStatus()))} />;
}

/** The count on other pages: polls only while there are jobs. */
function PolledCount() {
  const { data } = useQuery({
    ...queueStatusQuery(),
    refetchInterval: ({ state }) => (liveJobs(state.data) > 0 ? QUEUE_POLL_MS : false),
  });
  return <Count jobs={liveJobs(data)} />;
}

function Count({ jobs }: { jobs: number }) {
  if (jobs === 0) return null;
  return (
    <span className="text-muted-foreground text-xs tabular-nums">
      {jobs}
      <span className="sr-only"> {jobs === 1 ? "job" : "jobs"} pending or processing</span>
    </span>
  );
}

function liveJobs(status: QueueStatus | undefined): number {
  return status?.jobs.filter(({ status }) => !isEnded(status)).length ?? 0;
}
