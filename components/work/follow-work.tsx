"use client";

import { useFollowedPublishing, useReportPublishing } from "@/lib/features/publishing/client";
import { useFollowJobs } from "@/lib/features/work/client";

/** Mounted above all pages, so that every screen shows what jobs have done, and how a publishing job has ended. */
export function FollowWork() {
  useFollowJobs();
  return useFollowedPublishing().map((projectId) => <ReportPublishing key={projectId} projectId={projectId} />);
}

function ReportPublishing({ projectId }: { projectId: number }) {
  useReportPublishing(projectId);
  return null;
}
