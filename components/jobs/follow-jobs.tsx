"use client";

import { useFollowJobs } from "@/lib/features/jobs/client";

/** Stands above the pages: what a queue finishes shows on whichever screen is open by then. */
export function FollowJobs() {
  useFollowJobs();
  return null;
}
