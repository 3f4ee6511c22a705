"use client";

import { useFollowJobs } from "@/lib/features/work/client";

/** Mounted above all pages, so that every screen shows what the queues have finished. */
export function FollowJobs() {
  useFollowJobs();
  return null;
}
