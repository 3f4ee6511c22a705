import type { PublishingJobOut, PublishingResultOut } from "@/lib/features/publishing/schema";

export const JOB_ID = "6e0f6c1e-6a53-4a0e-9b6c-0d6b8f7a1c11";

export function aJob(fields: Partial<PublishingJobOut> = {}): PublishingJobOut {
  return {
    id: JOB_ID,
    projectId: 3,
    verb: "publish_all",
    status: "processing",
    totalItems: 3,
    completedItems: 0,
    unchangedItems: 0,
    liveItems: fields.completedItems ?? 0,
    failedItems: 0,
    cancelledItems: 0,
    firstFailure: null,
    cancelRequestedAt: null,
    error: null,
    errorType: null,
    startedAt: "2026-11-03T09:00:00.000Z",
    completedAt: null,
    createdAt: "2026-11-03T09:00:00.000Z",
    ...fields,
  };
}

/** A job that has ended. */
export function endedJob(fields: Partial<PublishingJobOut> = {}): PublishingJobOut {
  return aJob({ status: "completed", completedAt: "2026-11-03T09:01:00.000Z", completedItems: 3, ...fields });
}

export function aResult(fields: Partial<PublishingResultOut> = {}): PublishingResultOut {
  return {
    contentId: "a",
    title: "Sowing",
    status: "completed",
    unchanged: false,
    error: null,
    detail: null,
    type: null,
    wpPostId: null,
    wpPermalink: null,
    wpPostStatus: null,
    wpPostDate: null,
    ...fields,
  };
}

/** What a job says of a site that is down, and of one that may be another. */
export const UNREACHABLE = {
  error: "Could not connect to WordPress site. Please check your site URL and credentials.",
  errorType: "CONNECTION_ERROR",
} as const;
export const UNCERTAIN = {
  error: "Is staging.example.com the same site as blog.example.com at a new address, or another site?",
  errorType: "SITE_UNCERTAIN",
} as const;
