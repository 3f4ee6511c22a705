import type { JobOut, QueueStatus } from "@/lib/features/jobs/schema";
import type { ProcessingStatus } from "@/lib/features/jobs/states";

type Row = { status: ProcessingStatus; createdAt: string };

const RANK: Record<ProcessingStatus, number> = { processing: 0, completed: 1, pending: 2, failed: 2, cancelled: 3 };
/** As many cancelled rows stand open under Active; more of them would bury what comes below. */
const CANCELLED_OPEN = 5;

/** Active: neither completed nor failed. Inside both groups: processing, completed, others; cancelled last. */
export function groupRows<T extends Row>(rows: T[], total: Total): Groups<T> {
  const sorted = [...rows].sort((a, b) => RANK[a.status] - RANK[b.status] || b.createdAt.localeCompare(a.createdAt));
  const isDone = ({ status }: Row) => status === "completed" || status === "failed";
  const active = sorted.filter((row) => !isDone(row));
  const live = active.filter(({ status }) => status !== "cancelled").length;
  const open = live + CANCELLED_OPEN;
  return {
    active: { rows: active, total: total.live + total.cancelled },
    shown: active.slice(0, open),
    folded: { rows: active.slice(open), total: Math.max(0, total.cancelled - CANCELLED_OPEN) },
    done: { rows: sorted.filter(isDone), total: total.finished },
  };
}

type Total = QueueStatus["total"]["jobs"];
/** The rows that are here, and how many there are. */
type Some<T> = { rows: T[]; total: number };
/** `shown` and `folded` are the two parts of `active`. */
type Groups<T> = { active: Some<T>; shown: T[]; folded: Some<T>; done: Some<T> };

/** How a job that ended left some of its items, for a person; undefined of one that left none. Its status stays "completed". */
export function failuresOf({ status, failedItems, totalItems }: Ended): string | undefined {
  return status === "completed" && failedItems > 0 ? `${failedItems} of ${totalItems} failed` : undefined;
}

type Ended = Pick<JobOut, "status" | "failedItems" | "totalItems">;

/** What a group of ended rows says beside their number. */
export function failureNote(failed: number, what: "failed" | "with failures"): string | undefined {
  return failed > 0 ? `${failed} of them ${what}` : undefined;
}

/** Ids are shown as their first eight characters. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
