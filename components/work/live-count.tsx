"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { usePathname } from "next/navigation";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";
import { QUEUE_POLL_MS, queueStatusQuery } from "@/lib/features/work/client";
import type { QueueStatus } from "@/lib/features/work/schema";
import { isEnded } from "@/lib/features/work/states";

/** The number of pending and processing jobs, with a mark when pieces need the user. */
export function LiveCount() {
  return usePathname() === "/queue-monitor" ? <MonitorCount /> : <PolledCount />;
}

/** The count on the queue monitor, which polls by itself. */
function MonitorCount() {
  return <Count status={useQueryData<QueueStatus>(keys.queueStatus())} />;
}

/** The count on other pages: polls only while there are jobs. */
function PolledCount() {
  const { data } = useQuery({
    ...queueStatusQuery(),
    refetchInterval: ({ state }) => (liveJobs(state.data) > 0 ? QUEUE_POLL_MS : false),
  });
  return <Count status={data} />;
}

function Count({ status }: { status: QueueStatus | undefined }) {
  const jobs = liveJobs(status);
  const needy = status?.needs.reduce((sum, { kind, items }) => sum + (kind === "paused" ? 0 : items), 0) ?? 0;
  if (jobs === 0 && needy === 0) return null;
  return (
    <span className="flex items-center gap-1.5 text-muted-foreground text-xs tabular-nums">
      {needy > 0 ? (
        <span className="text-destructive">
          <TriangleAlert aria-hidden="true" className="size-3.5" />
          <span className="sr-only">
            {needy} {needy === 1 ? "piece needs" : "pieces need"} you
          </span>
        </span>
      ) : null}
      {jobs > 0 ? (
        <span>
          {jobs}
          <span className="sr-only"> {jobs === 1 ? "job" : "jobs"} pending or processing</span>
        </span>
      ) : null}
    </span>
  );
}

function liveJobs(status: QueueStatus | undefined): number {
  return status?.jobs.filter(({ status }) => !isEnded(status)).length ?? 0;
}
