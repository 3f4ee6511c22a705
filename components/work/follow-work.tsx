"use client";

import { usePathname } from "next/navigation";
import { useAuth } from "@/components/account/auth-provider";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";
import { useFollowedPublishing, useReportPublishing } from "@/lib/features/publishing/client";
import { useFollowJobs } from "@/lib/features/work/client";
import { useReportAbsence } from "@/lib/features/work/client/absence";
import { useLiveQueue } from "@/lib/features/work/client/live";
import type { QueueStatus } from "@/lib/features/work/schema";
import { isEnded } from "@/lib/features/work/states";

/** Mounted above all pages, so that every screen shows what jobs do and have done, and how a publishing job has ended. */
export function FollowWork() {
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  const isLive = status?.jobs.some(({ status }) => !isEnded(status)) ?? false;
  const isMonitor = usePathname() === "/queue-monitor";
  const userId = useAuth().user?.id;
  useLiveQueue(userId, isLive || isMonitor);
  useReportAbsence(userId);
  useFollowJobs();
  return useFollowedPublishing().map((projectId) => <ReportPublishing key={projectId} projectId={projectId} />);
}

function ReportPublishing({ projectId }: { projectId: number }) {
  useReportPublishing(projectId);
  return null;
}
