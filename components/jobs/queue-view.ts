import type { ProcessingStatus } from "@/lib/features/jobs/schema";

type Row = { status: ProcessingStatus; createdAt: string; completedAt: string | null };

const RANK: Record<ProcessingStatus, number> = { processing: 0, completed: 1, pending: 2, failed: 2, cancelled: 3 };
/** Cancelled rows stay under Active for a day, so that the person sees what became of them. */
const CANCELLED_SHOWN_MS = 24 * 60 * 60 * 1000;

/** Active: neither completed nor failed. Done: completed or failed. Inside: processing, completed, others; cancelled last. */
export function groupRows<T extends Row>(rows: T[], now: number): { active: T[]; done: T[] } {
  const sorted = [...rows].sort((a, b) => RANK[a.status] - RANK[b.status] || b.createdAt.localeCompare(a.createdAt));
  const isDone = ({ status }: Row) => status === "completed" || status === "failed";
  return {
    active: sorted.filter((row) => !isDone(row) && !isForgotten(row, now)),
    done: sorted.filter(isDone),
  };
}

/** How many rows there are to show as done, of all that have ended: the cancelled ones among these are not. */
export function doneOf<T extends Row>(rows: T[], finished: number): number {
  return finished - rows.filter(({ status, completedAt }) => status === "cancelled" && completedAt !== null).length;
}

function isForgotten({ status, completedAt }: Row, now: number): boolean {
  return status === "cancelled" && completedAt !== null && now - Date.parse(completedAt) > CANCELLED_SHOWN_MS;
}

/** Ids are shown as their first eight characters. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
