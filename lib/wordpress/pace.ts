import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { SITE_PAUSES, SITE_WAITING, SITE_WAITING_PER_USER } from "@/lib/limits/bounds";
import type { SafeResponse } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { boundedCache } from "@/lib/utils/bounded";
import { callerGone, tooManyWaiting } from "@/lib/wordpress/failures";
import { waitOf } from "@/lib/wordpress/retry-after";
import { createFairQueue } from "@/lib/workers/fair-queue";

export type Clock = { now(): number; sleep(milliseconds: number): Promise<unknown> };

/** A request that waits for its turn. The times of batches are compared within a `phase`, per write. */
export type Turn = {
  userId: string;
  kind: "read" | "write" | "batch";
  phase?: string | undefined;
  writes: number;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
};

export type Pace = {
  /** Sends when it is its turn. Throws RATE_LIMITED when the signal ends the wait, or too many wait already. */
  run(turn: Turn, send: () => Promise<SafeResponse>): Promise<SafeResponse>;
  /** How many writes the next batch should hold. */
  batchSize(): number;
  /** Are requests under way, or waiting, or told to wait? */
  isInUse(): boolean;
};

/** `most`: requests at once. `batchMs`: what a batch may take. */
type PaceOptions = { most: number; batchMs?: number; clock?: Clock };

type Waiting = { owner: string; isBatch: boolean; begin: () => void };

/**
 * Decides who may send to a site, and when. A few requests run at once, two of them batches, and users take turns. A
 * Retry-After pauses the user who got it, and all users once two have got one within a minute. A pause lasts a minute at most:
 * the caller decides about longer ones, such as the ten minutes of WordPress' own maintenance.
 *
 * A batch holds as many writes as the site does in `batchMs`, by the last batch of the slower phase: a server may end a request
 * that takes long, and then its outcome is not known. After a batch that failed the next one holds half as many.
 */
export function createPace({ most, batchMs = BATCH_MS, clock = SYSTEM_CLOCK }: PaceOptions): Pace {
  const queue = createFairQueue<Waiting>({ max: SITE_WAITING, maxPerOwner: SITE_WAITING_PER_USER });
  const pausedUntil = boundedCache<string, number>(
    "paused users of a site",
    SITE_PAUSES,
    "The site tells a user again whose pause is forgotten.",
  );
  let allPausedUntil = 0;
  let lastTold: { userId: string; at: number } | undefined;
  /** Those whose requests are under way. */
  const atWork: string[] = [];
  let batches = 0;
  let batchSize = FIRST_BATCH;
  const msPerWrite = boundedCache<string | undefined, number>("phases", 10, "A batch has two phases.");
  return { run, batchSize: () => batchSize, isInUse };

  function isInUse(): boolean {
    const paused = Math.max(allPausedUntil, ...pausedUntil.values());
    return atWork.length > 0 || !queue.isEmpty() || paused > clock.now();
  }

  async function run(turn: Turn, send: () => Promise<SafeResponse>): Promise<SafeResponse> {
    await turnOf(turn);
    const started = clock.now();
    try {
      const response = await send();
      pause(turn.userId, pauseOf(response, clock.now()));
      if (response.status === 429 || response.status >= 500) shrink(turn);
      else measure(turn, clock.now() - started);
      return response;
    } catch (error) {
      if (error instanceof UnreachableError && error.sent) shrink(turn);
      throw error;
    } finally {
      atWork.splice(atWork.indexOf(turn.userId), 1);
      if (turn.kind === "batch") batches--;
      serve();
    }
  }

  function turnOf({ userId, kind, signal }: Turn): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner: userId,
        isBatch: kind === "batch",
        begin: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      function leave(): void {
        queue.remove(waiting);
        reject(callerGone());
      }
      if (signal?.aborted) return reject(callerGone());
      if (!queue.add(waiting)) return reject(tooManyWaiting());
      signal?.addEventListener("abort", leave, { once: true });
      serve();
    });
  }

  function serve(): void {
    while (atWork.length < most) {
      // Who has nothing under way comes first: another user's requests may hang.
      const next =
        queue.take((waiting) => mayBegin(waiting) && !atWork.includes(waiting.owner)) ?? queue.take(mayBegin);
      if (!next) return;
      atWork.push(next.owner);
      if (next.isBatch) batches++;
      next.begin();
    }
  }

  function mayBegin({ owner, isBatch }: Waiting): boolean {
    if (isBatch && batches >= BATCHES_AT_ONCE) return false;
    return Math.max(allPausedUntil, pausedUntil.get(owner) ?? 0) <= clock.now();
  }

  function pause(userId: string, wait: number | null): void {
    if (wait === null || wait > LONGEST_PAUSE_MS) return;
    const now = clock.now();
    const until = now + wait;
    for (const [user, end] of pausedUntil) if (end <= now) pausedUntil.delete(user);
    pausedUntil.set(userId, Math.max(until, pausedUntil.get(userId) ?? 0));
    const isToldToTwo = lastTold && lastTold.userId !== userId && now - lastTold.at <= TOLD_TOGETHER_MS;
    if (isToldToTwo) allPausedUntil = Math.max(allPausedUntil, until);
    lastTold = { userId, at: now };
    void serveAfter(until);
  }

  /** A timer may run out a moment before the clock says so. */
  async function serveAfter(moment: number): Promise<void> {
    while (clock.now() < moment) await clock.sleep(moment - clock.now());
    serve();
  }

  function measure({ kind, phase, writes }: Turn, duration: number): void {
    if (kind !== "batch") return;
    msPerWrite.set(phase, duration / writes);
    const slowest = Math.max(1, ...msPerWrite.values());
    batchSize = Math.max(1, Math.min(Math.floor(batchMs / slowest), MAX_BATCH));
  }

  function shrink({ kind }: Turn): void {
    if (kind === "batch") batchSize = Math.max(1, Math.floor(batchSize / 2));
  }
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
};

/** More of them keep a site busy without getting more done: most have a processor or two. */
const BATCHES_AT_ONCE = 2;
/** WordPress' own limit. */
const MAX_BATCH = 25;
const FIRST_BATCH = 5;
const BATCH_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** One user alone may have made the site say so; two say something about the site. */
const TOLD_TOGETHER_MS = 60_000;
const SHORT_PAUSE_MS = 5_000;
/** The pause for a 429 that does not name one. */
const USUAL_PAUSE_MS = 1_000;

/** Was the request turned away unread, to come again in a moment? */
export function isWorthRepeating(response: SafeResponse, now = Date.now()): boolean {
  return (pauseOf(response, now) ?? Number.POSITIVE_INFINITY) <= SHORT_PAUSE_MS;
}

function pauseOf(response: SafeResponse, now: number): number | null {
  return waitOf(response, now) ?? (response.status === 429 ? USUAL_PAUSE_MS : null);
}
