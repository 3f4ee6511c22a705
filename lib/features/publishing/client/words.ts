import type { ToastInput } from "@/lib/client/toast-input";
import type { ContentOut } from "@/lib/features/content/schema";
import { CONTENT_STATES } from "@/lib/features/content/states";
import type { PublishingJobOut } from "@/lib/features/publishing/schema";
import type { BulkVerb } from "@/lib/features/publishing/states";
import { clockOf } from "@/lib/utils/dates";

/** These replace a failure without a sentence of its own. */
export const FAILED: Record<BulkVerb, string> = {
  publish_all: "Failed to publish to WordPress",
  publish_selected: "Failed to publish to WordPress",
  update_all: "Failed to publish to WordPress",
  unpublish_selected: "Error unpublishing from WordPress",
};

/** What each verb is called where a user reads it. */
export const BULK_WORDS: Record<
  BulkVerb,
  { doing: string; done: string; report: (done: number, all: number) => string }
> = {
  publish_all: {
    doing: "Publishing all content",
    done: "published",
    report: (done, all) => `Successfully published ${done} out of ${all} content pieces`,
  },
  publish_selected: {
    doing: "Publishing the selected content",
    done: "published",
    report: (done, all) => `Successfully published ${done} out of ${all} selected content pieces`,
  },
  update_all: {
    doing: "Updating the changed posts",
    done: "updated",
    report: (done, all) => `Successfully updated ${done} out of ${all} changed posts`,
  },
  unpublish_selected: {
    doing: "Unpublishing the selected content",
    done: "unpublished",
    report: (done, all) => `Successfully unpublished ${done} out of ${all} selected content pieces`,
  },
};

/** What the toast says at the end of a job. */
export function saidOfEnd({
  verb,
  status,
  totalItems,
  failedItems,
  firstFailure,
  ...job
}: PublishingJobOut): ToastInput {
  const isUnpublish = verb === "unpublish_selected";
  const done = isUnpublish ? job.completedItems : job.liveItems;
  const description = BULK_WORDS[verb].report(done, totalItems);
  if (status === "cancelled") return { title: "Publishing Cancelled", description, variant: "neutral" };
  if (done > 0) return { title: isUnpublish ? "Success" : "Publishing Complete", description };
  if (failedItems === 0) return notLive(job.completedItems === 1 ? "The piece is" : "The pieces are");
  const others = failedItems > 1 ? ` + ${failedItems - 1} more` : "";
  return { title: "Error", description: `${firstFailure ?? FAILED[verb]}${others}`, variant: "destructive" };
}

/** What the toast says after a publish that did not make the post live. */
export function saidOfStanding({ wpPostStatus, wpPostDate }: Pick<ContentOut, "wpPostStatus" | "wpPostDate">) {
  const said = wpPostStatus === null ? undefined : STANDING[wpPostStatus];
  if (!said) return notLive("The post is");
  const at = wpPostDate ? `Your site will publish the post on ${clockOf().short(new Date(wpPostDate))}.` : "";
  return { title: said.title, description: at || said.description, variant: "neutral" as const };
}

/** What WordPress calls a post that is not live, as a user reads it. */
export const STANDING: Record<string, { label: string; title: string; description: string }> = {
  future: {
    label: "Scheduled",
    title: "Scheduled on your site",
    description: "Your site will publish the post at the time that is set there.",
  },
  pending: {
    label: "Waits for review",
    title: "It waits for review on your site",
    description: "Readers see the post once somebody has approved it there.",
  },
  private: {
    label: "Private",
    title: "Private on your site",
    description: "Only users who are signed in to your site and may read private posts see it.",
  },
};

/** The site has the post, and shows it to nobody yet. */
export function notLive(subject: string) {
  return {
    title: CONTENT_STATES.wp_draft.badge.label,
    description: `${subject} on your WordPress site, but not yet for readers: scheduled, private or waiting for review there.`,
    variant: "neutral" as const,
  };
}

/** What cancelling a job does. */
export const CANCEL_WORDS = "Pending pieces stay as they are. What is being written to the site finishes.";
