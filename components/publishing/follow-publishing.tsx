"use client";

import { useFollowedPublishing, useFollowPublishing } from "@/lib/features/publishing/client";

/** Mounted above all pages, so that a publishing job's end is reported on every screen. */
export function FollowPublishing() {
  return useFollowedPublishing().map((projectId) => <Follow key={projectId} projectId={projectId} />);
}

function Follow({ projectId }: { projectId: number }) {
  useFollowPublishing(projectId);
  return null;
}
