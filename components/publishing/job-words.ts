import { BULK_WORDS } from "@/lib/features/publishing/client/words";
import type { PublishingJobOut } from "@/lib/features/publishing/schema";

/** What a running job does. */
export function doingOf({ verb }: PublishingJobOut): string {
  return BULK_WORDS[verb].doing;
}

type Counts = Pick<
  PublishingJobOut,
  "verb" | "totalItems" | "completedItems" | "unchangedItems" | "liveItems" | "failedItems" | "cancelledItems"
>;

/** How far a running job has come. */
export function progressOf({ verb, totalItems, completedItems, failedItems }: Counts): string {
  if (completedItems + failedItems === 0) return `0 of ${count(totalItems)} ${BULK_WORDS[verb].done}`;
  const failed = failedItems > 0 ? `, ${count(failedItems)} failed` : "";
  return `${count(completedItems)} of ${count(totalItems)} ${BULK_WORDS[verb].done}${failed}`;
}

/** What a job that has ended has done. */
export function endOf({
  verb,
  totalItems,
  completedItems,
  unchangedItems,
  liveItems,
  failedItems,
  cancelledItems,
}: Counts): string {
  const notLive = verb === "unpublish_selected" ? 0 : completedItems - liveItems;
  return [
    `${count(completedItems)} of ${count(totalItems)} pieces ${BULK_WORDS[verb].done}`,
    unchangedItems > 0 ? `${count(unchangedItems)} of them needed no change` : null,
    notLive > 0 ? `${count(notLive)} of them not live yet` : null,
    failedItems > 0 ? `${count(failedItems)} failed` : null,
    cancelledItems > 0 ? `${count(cancelledItems)} cancelled` : null,
  ]
    .filter(Boolean)
    .join(", ");
}

/** The failures' title. */
export function failuresTitle({ verb, failedItems }: Counts): string {
  return `${count(failedItems)} ${failedItems === 1 ? "piece was" : "pieces were"} not ${BULK_WORDS[verb].done}`;
}

function count(items: number): string {
  return items.toLocaleString("en-US");
}
