"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { QUEUE_POLL_MS, queueStatusQuery } from "@/lib/features/jobs/client";
import type { QueueStatus } from "@/lib/features/jobs/schema";

/** How many jobs are under way. Asked again by the clock only while there are some; the monitor itself asks anyway. */
export function LiveCount() {
  const isMonitor = usePathname() === "/queue-monitor";
  const { data } = useQuery({
    ...queueStatusQuery(),
    enabled: !isMonitor,
    refetchInterval: ({ state }) => (liveJobs(state.data) > 0 ? QUEUE_POLL_MS : false),
  });
  const count = liveJobs(data);
  if (count === 0) return null;
  return (
    <span className="text-muted-foreground text-xs tabular-nums">
      {count}
      <span className="sr-only"> {count === 1 ? "job" : "jobs"} under way</span>
    </span>
  );
}

function liveJobs(status: QueueStatus | undefined): number {
  return status?.jobs.filter(({ status }) => status === "pending" || status === "processing").length ?? 0;
}
