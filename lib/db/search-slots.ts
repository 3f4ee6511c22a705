import "server-only";
import { AppError } from "@/lib/errors";

/** Per process: fewer than half of its connections, so that everything else continues. */
const MAX_RUNNING = 4;
const MAX_RUNNING_EACH = 2;
/** The library searches many topics at once; more than this per person, or in all, is rejected. */
const MAX_WAITING_EACH = 20;
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5_000;
/** How often a waiting search asks for room. */
const POLL_MS = 250;

type Waiting = { userId: string; admit: () => void };

const running = new Map<string, number>();
const queue: Waiting[] = [];

/**
 * Waits for a slot among this process's searches; call the result to release it. `makeRoom` is called repeatedly while
 * the person's own searches hold the slots. Throws RATE_LIMITED when too many of theirs wait or `signal` aborts,
 * SERVICE_UNAVAILABLE when too many wait in all.
 */
export async function acquireSearchSlot(
  userId: string,
  makeRoom: () => Promise<void>,
  signal?: AbortSignal,
): Promise<() => void> {
  if (signal?.aborted) throw tooManySearches();
  if (queue.length === 0 && hasSlot(userId)) return takeSlot(userId);
  rejectWhenFull(userId);
  await new Promise<void>((resolve, reject) => {
    const waiting = { userId, admit: () => end(resolve) };
    const deadline = setTimeout(() => end(() => reject(tooMany(userId))), MAX_WAIT_MS);
    const polling = setInterval(() => {
      if (isFull(userId) && queue.find((other) => other.userId === userId) === waiting)
        makeRoom().catch(() => undefined);
    }, POLL_MS);
    const abort = () => end(() => reject(tooManySearches()));
    signal?.addEventListener("abort", abort, { once: true });
    queue.push(waiting);
    admitNext();

    function end(settle: () => void): void {
      clearTimeout(deadline);
      clearInterval(polling);
      signal?.removeEventListener("abort", abort);
      const index = queue.indexOf(waiting);
      if (index >= 0) queue.splice(index, 1);
      settle();
    }
  });
  return releaseOf(userId);
}

/** Fewest running searches first, then first come, first served. */
function admitNext(): void {
  const next = queue
    .filter(({ userId }) => hasSlot(userId))
    .reduce<Waiting | undefined>(
      (best, one) => (best && countOf(best.userId) <= countOf(one.userId) ? best : one),
      undefined,
    );
  if (!next) return;
  running.set(next.userId, countOf(next.userId) + 1);
  next.admit();
  admitNext();
}

function takeSlot(userId: string): () => void {
  running.set(userId, countOf(userId) + 1);
  return releaseOf(userId);
}

function releaseOf(userId: string): () => void {
  return () => {
    const left = countOf(userId) - 1;
    if (left > 0) running.set(userId, left);
    else running.delete(userId);
    admitNext();
  };
}

function countOf(userId: string): number {
  return running.get(userId) ?? 0;
}

function isFull(userId: string): boolean {
  return countOf(userId) >= MAX_RUNNING_EACH;
}

function hasSlot(userId: string): boolean {
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  return all < MAX_RUNNING && !isFull(userId);
}

function rejectWhenFull(userId: string): void {
  const own = queue.filter((waiting) => waiting.userId === userId).length;
  if (own >= MAX_WAITING_EACH || queue.length >= MAX_WAITING) throw tooMany(userId);
}

function tooMany(userId: string): AppError {
  return isFull(userId) ? tooManySearches() : busy();
}

export function tooManySearches(): AppError {
  const message = "You have too many searches running. Wait a moment, then search again.";
  return new AppError("RATE_LIMITED", { message, retryAfter: 1 });
}

function busy(): AppError {
  const message = "Too many searches are running right now. Wait a moment, then search again.";
  return new AppError("SERVICE_UNAVAILABLE", { message, retryAfter: 5 });
}
