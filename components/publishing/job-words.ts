import { BULK_WORDS } from "@/lib/features/publishing/client/words";
import type { PublishingJobOut } from "@/lib/features/publishing/schema";
import { failuresOf, jobBadge } from "@/lib/features/work/states";

type Counts = Pick<
  PublishingJobOut,
  | "verb"
  | "status"
  | "totalItems"
  | "completedItems"
  | "unchangedItems"
  | "liveItems"
  | "failedItems"
  | "cancelledItems"
>;

/** How far a running job has come. */
export function progressOf(job: Counts): string {
  const { verb, totalItems, completedItems, failedItems } = job;
  const failed = failedItems > 0 ? `, ${failuresOf(job)}` : "";
  return `${count(completedItems)} of ${count(totalItems)} ${BULK_WORDS[verb].done}${failed}`;
}

/** How a job has ended, and what it has done. */
export function endOf(job: Counts): string {
  return `${jobBadge(job).label} · ${resultOf(job)}`;
}

/** What a job has done. */
export function resultOf(job: Counts): string {
  const { verb, totalItems, completedItems, unchangedItems, liveItems, cancelledItems } = job;
  const drafts = verb === "unpublish_selected" ? 0 : completedItems - liveItems;
  const done = [
    `${count(completedItems)} of ${count(totalItems)} pieces ${BULK_WORDS[verb].done}`,
    unchangedItems > 0 ? `${count(unchangedItems)} of them needed no change` : null,
    drafts > 0 ? `${count(drafts)} of them ${drafts === 1 ? "a WordPress Draft" : "WordPress Drafts"}` : null,
    cancelledItems > 0 ? `${count(cancelledItems)} cancelled` : null,
  ];
  return done.filter(Boolean).join(", ");
}

function count(items: number): string {
  return items.toLocaleString("en-US");
}
