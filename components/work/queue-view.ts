import type { QueueStatus } from "@/lib/features/work/schema";
import type { ProcessingStatus } from "@/lib/features/work/states";

type Row = { status: ProcessingStatus; createdAt: string };

const RANK: Record<ProcessingStatus, number> = { processing: 0, completed: 1, pending: 2, failed: 2, cancelled: 3 };
/** The specification counts cancelled rows as active; more than these are collapsed, so as not to bury the others. */
const MAX_OPEN_CANCELLED = 5;

/** Groups rows into active ones and done ones (completed or failed), sorted by status, then newest first. */
export function groupRows<T extends Row>(rows: T[], total: Total): Groups<T> {
  const sorted = [...rows].sort((a, b) => RANK[a.status] - RANK[b.status] || b.createdAt.localeCompare(a.createdAt));
  const isDone = ({ status }: Row) => status === "completed" || status === "failed";
  const active = sorted.filter((row) => !isDone(row));
  const live = active.filter(({ status }) => status !== "cancelled").length;
  const open = live + MAX_OPEN_CANCELLED;
  return {
    active: { rows: active, total: total.live + total.cancelled },
    shown: active.slice(0, open),
    folded: { rows: active.slice(open), total: Math.max(0, total.cancelled - MAX_OPEN_CANCELLED) },
    done: { rows: sorted.filter(isDone), total: total.finished },
  };
}

type Total = QueueStatus["total"]["jobs"];
/** The loaded rows, and how many there are in all. */
type Listed<T> = { rows: T[]; total: number };
/** `shown` and `folded` are the two parts of `active`. */
type Groups<T> = { active: Listed<T>; shown: T[]; folded: Listed<T>; done: Listed<T> };

/** The note beside the count of a group of ended rows. */
export function failureNote(failed: number, what: "failed" | "with failures"): string | undefined {
  return failed > 0 ? `${failed} of them ${what}` : undefined;
}

/** Ids are shown as their first eight characters. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
