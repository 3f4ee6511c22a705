import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { SafeResponse } from "@/lib/net/safe-fetch";
import { UnreachableError } from "@/lib/net/unreachable";
import { createBatchesAtOnce } from "@/lib/wordpress/batches-at-once";
import { waitOf } from "@/lib/wordpress/retry-after";

export type Clock = { now(): number; sleep(milliseconds: number): Promise<unknown> };

/** Durations are compared with those of the same `kind`, and the same `phase` of batches, per write. */
export type PacedRequest = { kind: "read" | "write" | "batch"; phase?: string | undefined; writes: number };

export type Pace = {
  /** Sends when it is its turn. */
  run(request: PacedRequest, send: () => Promise<SafeResponse>): Promise<SafeResponse>;
  /** How many may run at once now. */
  limit(): number;
  /** How many writes the next batch should hold. */
  batchSize(): number;
};

/** `batchMs`: what a batch may take. */
type PaceOptions = { most: number; batchMs?: number; clock?: Clock };

/**
 * How many requests a site gets at once: additive increase, multiplicative decrease (Chiu & Jain, "Analysis of the
 * Increase and Decrease Algorithms for Congestion Avoidance", 1989). Starts with two, one more after as many good
 * answers as may run at once, half as many after a 429, 502, 503 or 504, a time-out or a dropped connection; and when
 * the median of the last answers is more than twice the best one, since a busy site slows down before it fails, but then
 * never fewer than two: one at its full speed takes longer for each of many as well. What was sent before a decrease
 * says nothing about the pace after it. Retry-After pauses all requests, for a minute at most; a longer wait, such as the
 * ten minutes of WordPress' own maintenance, is for the caller to decide.
 *
 * A batch holds as many writes as the site does in `batchMs` by its last answers: a server may end a request that takes
 * long, and then its outcome is not known. Starts with five; twice as many at most after a good answer, half as many
 * after a batch that overloads the site. Of the requests that run at once, no more are batches than make the site do more.
 */
export function createPace({ most, batchMs = BATCH_MS, clock = SYSTEM_CLOCK }: PaceOptions): Pace {
  let limit = Math.min(START, most);
  let running = 0;
  let goodAnswers = 0;
  let falls = 0;
  let pausedUntil = 0;
  let isWaking = false;
  let batchSize = FIRST_BATCH;
  let msPerWrite = 0;
  let durations = new Map<string, number[]>();
  const best = new Map<string, number>();
  const queue: (() => void)[] = [];
  const batches = createBatchesAtOnce(most);
  return { run, limit: () => limit, batchSize: () => batchSize };

  async function run(request: PacedRequest, send: () => Promise<SafeResponse>): Promise<SafeResponse> {
    return request.kind === "batch" ? batches.run(() => runPaced(request, send)) : runPaced(request, send);
  }

  async function runPaced(request: PacedRequest, send: () => Promise<SafeResponse>): Promise<SafeResponse> {
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      startNext();
    });
    const [started, before, batchesThen] = [clock.now(), falls, Math.min(batches.limit(), limit)];
    try {
      const response = await send();
      pause(pauseOf(response, clock.now()));
      const isCurrent = before === falls;
      if (isCurrent && OVERLOADED.includes(response.status)) overload(request, clock.now() - started);
      else if (isCurrent && response.status < 500) {
        const duration = clock.now() - started;
        increase(request, duration);
        if (request.kind === "batch") batches.measure({ ...request, duration, limit: batchesThen });
      }
      return response;
    } catch (error) {
      if (before === falls && isOverload(error)) overload(request, clock.now() - started);
      throw error;
    } finally {
      running--;
      startNext();
    }
  }

  function startNext(): void {
    const pause = pausedUntil - clock.now();
    if (pause > 0) {
      wakeIn(pause);
      return;
    }
    while (running < limit) {
      const next = queue.shift();
      if (!next) return;
      running++;
      next();
    }
  }

  /** No timer runs for an empty queue. */
  function wakeIn(pause: number): void {
    if (isWaking || queue.length === 0) return;
    isWaking = true;
    void clock.sleep(pause).then(() => {
      isWaking = false;
      startNext();
    });
  }

  function pause(wait: number | null): void {
    if (wait !== null && wait <= LONGEST_PAUSE_MS) pausedUntil = Math.max(pausedUntil, clock.now() + wait);
  }

  function overload(request: PacedRequest, duration: number): void {
    fall(Math.max(1, Math.floor(limit / 2)));
    if (request.kind !== "batch") return;
    const half = Math.max(1, Math.floor(batchSize / 2));
    measure(request, duration);
    batchSize = Math.min(half, batchSize);
  }

  function measure({ kind, writes }: PacedRequest, duration: number): void {
    if (kind === "read") return;
    msPerWrite = Math.max(duration / writes, FADING * msPerWrite);
    const fitting = Math.floor(batchMs / Math.max(msPerWrite, 1));
    batchSize = Math.max(1, Math.min(fitting, 2 * batchSize, MAX_BATCH));
  }

  function increase(request: PacedRequest, duration: number): void {
    measure(request, duration);
    const { writes } = request;
    const kind = `${request.kind} ${request.phase}`;
    if (++goodAnswers >= limit) {
      goodAnswers = 0;
      limit = Math.min(limit + 1, most);
    }
    const recent = [...(durations.get(kind) ?? []), duration / writes];
    durations.set(kind, recent.length < WINDOW ? recent : []);
    if (recent.length < WINDOW) return;
    const median = recent.sort((a, b) => a - b)[WINDOW / 2] ?? 0;
    const fastest = best.get(kind) ?? median;
    const isSlow = median > 2 * fastest && duration >= NOTICEABLE_MS;
    if (isSlow) fall(Math.min(limit, Math.max(START, Math.floor(limit / 2))));
    best.set(kind, isSlow ? fastest * FORGETTING : Math.min(fastest, median));
  }

  function fall(to: number): void {
    limit = to;
    goodAnswers = 0;
    falls++;
    durations = new Map();
  }
}

const SYSTEM_CLOCK: Clock = { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds) };

const START = 2;
/** WordPress' own limit. */
const MAX_BATCH = 25;
const FIRST_BATCH = 5;
const BATCH_MS = 5_000;
/** A slow answer counts for a while: a phase that is fast says nothing about one that is slow. */
const FADING = 0.8;
/** How many durations make a median. */
const WINDOW = 8;
/** Below this a doubling is noise. */
const NOTICEABLE_MS = 100;
/** A site that stays slow is no longer compared with its best days. */
const FORGETTING = 1.5;
const OVERLOADED = [429, 502, 503, 504];
const LONGEST_PAUSE_MS = 60_000;
const SHORT_PAUSE_MS = 5_000;
/** For a 429 that does not say. */
const USUAL_PAUSE_MS = 1_000;

function isOverload(error: unknown): boolean {
  if (!(error instanceof UnreachableError)) return false;
  return error.reason === "timeout" || (error.reason === "refused" && error.sent);
}

/** Was the request turned away unread, to come again in a moment? */
export function isWorthRepeating(response: SafeResponse, now = Date.now()): boolean {
  return (pauseOf(response, now) ?? Number.POSITIVE_INFINITY) <= SHORT_PAUSE_MS;
}

function pauseOf(response: SafeResponse, now: number): number | null {
  return waitOf(response, now) ?? (response.status === 429 ? USUAL_PAUSE_MS : null);
}
