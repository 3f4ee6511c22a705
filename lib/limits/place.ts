import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import {
  CALLERS,
  CALLS_BESIDE_OTHERS,
  CALLS_EACH,
  FOLLOWERS_EACH,
  PLACES,
  PLACES_EACH,
  PLACES_OF_A_SEARCH,
  STREAMS_EACH,
  WAITING_EACH,
  WAITING_IN_ALL,
} from "@/lib/limits/bounds";
import { type Caller, createGate, type EnterOptions, type Gate, type Place } from "@/lib/limits/gate";
import { bounded, boundedSet } from "@/lib/utils/bounded";

/** `end` ends a stream whose reader comes back; without it the stream's work has to end first. */
type Stream = { end: (() => void) | undefined };
type Kept = { gate: Gate; places: AsyncLocalStorage<Place>; streams: Map<string, Set<Stream>>; isStopping: boolean };

/** The gate is on globalThis: the bundler may give each route a copy of this module, and the server's guard has its own. */
const kept = globalThis as { requestPlaces?: Kept };

function shared(): Kept {
  kept.requestPlaces ??= {
    gate: createGate({
      places: PLACES,
      placesEach: PLACES_EACH,
      callsEach: CALLS_EACH,
      callsBesideOthers: CALLS_BESIDE_OTHERS,
      waitingEach: WAITING_EACH * env.RATE_LIMIT_SCALE,
      waitingInAll: WAITING_IN_ALL * env.RATE_LIMIT_SCALE,
    }),
    places: new AsyncLocalStorage(),
    streams: bounded("users with streams", CALLERS, "Each is a caller whose call is under way."),
    isStopping: false,
  };
  return kept.requestPlaces;
}

/**
 * Runs a request once it has a place in this process; `work` gives it back with `leave`, or by ending. Rejects with
 * RATE_LIMITED or SERVICE_UNAVAILABLE, see gate.ts, or with the reason of an aborted signal.
 */
export async function inPlace(
  caller: Caller,
  options: EnterOptions,
  work: (leave: () => void) => Promise<unknown>,
): Promise<void> {
  const { gate, places } = shared();
  const place = await gate.enter(caller, options);
  try {
    await places.run(place, () => work(place.leave));
  } finally {
    place.leave();
  }
}

/**
 * Runs work that waits for something else: a provider, a site, a mail server. Meanwhile the request's place is free for
 * others. Without a place, as in jobs and scripts, it just runs.
 */
export function whileAway<T>(work: () => Promise<T>): Promise<T> {
  const place = shared().places.getStore();
  return place ? place.away(work) : work();
}

/**
 * Runs a search of the user, which takes as much of the process as four other calls. Rejects with the reason of `signal`
 * when it is aborted before the search has begun.
 */
export async function inSearch<T>(userId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const { gate, places } = shared();
  const place = places.getStore();
  if (place) return place.onPlaces(PLACES_OF_A_SEARCH, work, signal);
  const own = await gate.enter({ key: `user ${userId}`, width: 1 }, { signal });
  try {
    return await own.onPlaces(PLACES_OF_A_SEARCH, work, signal);
  } finally {
    own.leave();
  }
}

/** Calls of this process that work and that wait for a place. */
export function requestCounts(): { working: number; waiting: number } {
  const { taken, waiting } = shared().gate.counts();
  return { working: taken, waiting };
}

/** The first part of an answer has been sent: what follows waits for a provider or the client. */
export function leavePlace(): void {
  shared().places.getStore()?.leave();
}

/**
 * Call the result when the stream's work has ended. Beyond eight of a user in this process, and beyond four that can be ended, the
 * oldest of those is ended; if there is none, throws RATE_LIMITED.
 */
export function openStream(userId: string, end?: () => void): () => void {
  const { streams, isStopping } = shared();
  if (end && isStopping) throw new AppError("SERVICE_UNAVAILABLE");
  const open =
    streams.get(userId) ?? boundedSet<Stream>("streams of a user", STREAMS_EACH, "A stream more is refused.");
  const endable = [...open].filter((stream) => stream.end);
  if (open.size >= STREAMS_EACH || (end && endable.length >= FOLLOWERS_EACH)) {
    const [oldest] = endable;
    if (!oldest) throw tooManyStreams();
    open.delete(oldest);
    oldest.end?.();
  }
  const stream = { end };
  streams.set(userId, open.add(stream));
  return () => {
    open.delete(stream);
    if (open.size === 0 && streams.get(userId) === open) streams.delete(userId);
  };
}

/** The process stops: ends the streams whose readers come back, and lets none begin. */
export function endStreams(): void {
  const kept = shared();
  kept.isStopping = true;
  for (const { end } of [...kept.streams.values()].flatMap((open) => [...open])) end?.();
}

function tooManyStreams(): AppError {
  const message = `You have ${STREAMS_EACH} texts being written already. Wait until one is done, or stop one, then try again.`;
  return new AppError("RATE_LIMITED", { message, retryAfter: 5 });
}
