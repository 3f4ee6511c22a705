import "server-only";
import { AppError } from "@/lib/errors";

/** Searches of one process at once: fewer than half of its connections, so that all else goes on. */
const MAX_RUNNING = 4;
/** Searches of one person at once. */
const MAX_RUNNING_EACH = 2;
/** A page of the library asks for many topics at once; more than this of one person, or of all, is refused. */
const MAX_WAITING_EACH = 20;
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5_000;
/** How often whoever waits for a place of their own asks for room, in milliseconds. */
const ASK_MS = 250;

type Waiting = { userId: string; admit: () => void };

const running = new Map<string, number>();
const line: Waiting[] = [];

/**
 * Waits for a place among the searches of this process; the answer gives it back. `makeRoom` is called, again and again,
 * while the person's own searches are in the way. Throws RATE_LIMITED when too many of the person's wait or `signal` is
 * aborted, SERVICE_UNAVAILABLE when too many of everybody's do.
 */
export async function enterSearchLine(
  userId: string,
  makeRoom: () => Promise<void>,
  signal?: AbortSignal,
): Promise<() => void> {
  if (signal?.aborted) throw tooManyOwn();
  if (line.length === 0 && hasPlace(userId)) return takePlace(userId);
  refuseLongLine(userId);
  await new Promise<void>((resolve, reject) => {
    const waiting = { userId, admit: () => end(resolve) };
    const deadline = setTimeout(() => end(() => reject(tooMany(userId))), MAX_WAIT_MS);
    const asking = setInterval(() => {
      if (isFull(userId) && line.find((other) => other.userId === userId) === waiting)
        makeRoom().catch(() => undefined);
    }, ASK_MS);
    const leave = () => end(() => reject(tooManyOwn()));
    signal?.addEventListener("abort", leave, { once: true });
    line.push(waiting);
    admitNext();

    function end(settle: () => void): void {
      clearTimeout(deadline);
      clearInterval(asking);
      signal?.removeEventListener("abort", leave);
      const place = line.indexOf(waiting);
      if (place >= 0) line.splice(place, 1);
      settle();
    }
  });
  return placeOf(userId);
}

/** Those come first who have the fewest running, then those who came first. */
function admitNext(): void {
  const next = line
    .filter(({ userId }) => hasPlace(userId))
    .reduce<Waiting | undefined>(
      (best, one) => (best && countOf(best.userId) <= countOf(one.userId) ? best : one),
      undefined,
    );
  if (!next) return;
  running.set(next.userId, countOf(next.userId) + 1);
  next.admit();
  admitNext();
}

function takePlace(userId: string): () => void {
  running.set(userId, countOf(userId) + 1);
  return placeOf(userId);
}

function placeOf(userId: string): () => void {
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

function hasPlace(userId: string): boolean {
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  return all < MAX_RUNNING && !isFull(userId);
}

function refuseLongLine(userId: string): void {
  const own = line.filter((waiting) => waiting.userId === userId).length;
  if (own >= MAX_WAITING_EACH || line.length >= MAX_WAITING) throw tooMany(userId);
}

/** Somebody's own searches, or everybody's. */
function tooMany(userId: string): AppError {
  return isFull(userId) ? tooManyOwn() : busy();
}

/** The person has too many searches at once. */
export function tooManyOwn(): AppError {
  const message = "You have too many searches running. Wait a moment, then search again.";
  return new AppError("RATE_LIMITED", { message, retryAfter: 1 });
}

function busy(): AppError {
  const message = "Too many searches are running right now. Wait a moment, then search again.";
  return new AppError("SERVICE_UNAVAILABLE", { message, retryAfter: 5 });
}
