"use client";

import { useFollowJobs } from "@/lib/features/jobs/client";

/** Mounted above the pages, so that what a queue finishes shows on any screen. */
export function FollowJobs() {
  useFollowJobs();
  return null;
}
