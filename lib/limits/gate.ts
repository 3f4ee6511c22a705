import "server-only";
import { AppError } from "@/lib/errors";
import { CALLERS } from "@/lib/limits/bounds";
import { bounded } from "@/lib/utils/bounded";

export type GateBounds = {
  /** Places that are taken at once: in all, and by one caller. */
  places: number;
  placesEach: number;
  /** Calls of one caller, however many places each has: alone, and beside others. */
  callsEach: number;
  callsBesideOthers: number;
  /** Calls of one caller without a place, and calls that wait for one in all. */
  waitingEach: number;
  waitingInAll: number;
};

/** `width`: how many callers share this key. */
export type Caller = { key: string; width: number };

/** A call's place among those at work. */
export type Place = {
  /** Runs `work`, which waits for something else, without the place, and takes one again after it. */
  away<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` on `places` places of the caller instead of this one, or rejects when aborted before it has them. */
  onPlaces<T>(places: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Gives the place back for good. Work that goes on afterwards is not counted. */
  leave(): void;
};

export type EnterOptions = {
  /** Waits last, and makes way when too many calls wait. */
  isPrefetch?: boolean;
  /** Leaves the queue when aborted. */
  signal?: AbortSignal | undefined;
};

/** `return`: a call that was away needs its place back. `search`: it takes several places instead of its own. */
type Kind = "call" | "prefetch" | "search" | "return";
type Waiting = { kind: Kind; places: number; admit: () => void; refuse: (error: unknown) => void };
/**
 * What a caller has in the gate. `taken`: places, of the calls that are `working`. `absent`: calls that have given their
 * place back for a while.
 */
type Calls = { taken: number; working: number; absent: number; queue: Waiting[] };

/**
 * Lets so many calls work at once, by turns: one call of each caller, then the next of each. A call beyond a caller's
 * bound rejects with RATE_LIMITED. When too many calls wait in all, the newest call of the caller with the longest queue
 * rejects with SERVICE_UNAVAILABLE.
 */
export function createGate(bounds: GateBounds) {
  // A Map keeps insertion order: the caller served last moves to the end.
  const callers = bounded<string, { caller: Caller; calls: Calls }>(
    "callers",
    CALLERS,
    "Those who wait are fewer, but calls that are away are not bounded in all. One more caller is asked to come back.",
  );
  let taken = 0;
  let waiting = 0;

  async function enter(caller: Caller, options: EnterOptions = {}): Promise<Place> {
    const calls = callsOf(caller);
    const kind = options.isPrefetch ? "prefetch" : "call";
    const mayStart =
      calls.queue.length === 0 && taken < bounds.places && isWithinOwn(caller, calls, { kind, places: 1 });
    try {
      if (!mayStart) requireRoom(caller, calls, kind);
      await take(caller, { kind, places: 1 }, options.signal);
    } finally {
      forgetIdle(caller);
    }
    return createPlace(caller);
  }

  function callsOf(caller: Caller): Calls {
    const found = callers.get(caller.key)?.calls;
    if (found) return found;
    const calls: Calls = { taken: 0, working: 0, absent: 0, queue: [] };
    callers.set(caller.key, { caller, calls });
    return calls;
  }

  function forgetIdle({ key }: Caller): void {
    const calls = callers.get(key)?.calls;
    if (!calls || calls.taken > 0 || calls.absent > 0 || calls.queue.length > 0) return;
    callers.delete(key);
    // With fewer callers, each of the others may work on more calls.
    serve();
  }

  /**
   * However many share a key, another caller finds its own places free. Beside others a caller works on few calls: all
   * run on one thread, where the steps of each come between those of theirs. A return only needs places, since a call at
   * work may wait for it.
   */
  function isWithinOwn(
    { width }: Caller,
    { taken: own, working }: Calls,
    { kind, places }: Pick<Waiting, "kind" | "places">,
  ) {
    const { places: all, placesEach, callsEach, callsBesideOthers } = bounds;
    const factor = Math.min(width, Math.max(1, all / placesEach - 1));
    const mostCalls = factor * (callers.size > 1 ? callsBesideOthers : callsEach);
    return own + places <= factor * placesEach && (kind === "return" || working < mostCalls);
  }

  function requireRoom({ width }: Caller, calls: Calls, kind: Kind): void {
    const isFull = calls.absent + calls.queue.length >= bounds.waitingEach * width;
    if (isFull && (kind === "prefetch" || !refuseLast(calls, ["prefetch"], tooManyCalls()))) throw tooManyCalls();
    if (waiting < bounds.waitingInAll) return;
    const most = [...callers.values()].reduce((a, b) => (b.calls.queue.length > a.calls.queue.length ? b : a)).calls;
    if (most.queue.length <= calls.queue.length || !refuseLast(most, ["prefetch", "call"], busy())) throw busy();
  }

  /** Refuses the last call of these kinds that has not begun. */
  function refuseLast({ queue }: Calls, kinds: Kind[], error: AppError): boolean {
    const last = queue.findLast(({ kind }) => kinds.includes(kind));
    last?.refuse(error);
    return last !== undefined;
  }

  /** Resolves once the places are taken. */
  function take(caller: Caller, asked: Pick<Waiting, "kind" | "places">, signal?: AbortSignal): Promise<void> {
    const { kind, places } = asked;
    const calls = callsOf(caller);
    return new Promise((resolve, reject) => {
      const abort = () => entry.refuse(signal?.reason);
      const dequeue = () => {
        calls.queue.splice(calls.queue.indexOf(entry), 1);
        waiting--;
        signal?.removeEventListener("abort", abort);
      };
      const entry: Waiting = {
        kind,
        places,
        admit() {
          dequeue();
          calls.taken += places;
          calls.working++;
          taken += places;
          resolve();
        },
        refuse(error) {
          dequeue();
          reject(error);
          // It may have held up those behind it.
          serve();
        },
      };
      // It goes ahead of the caller's calls that have not begun.
      if (kind === "return") calls.queue.unshift(entry);
      else calls.queue.push(entry);
      waiting++;
      if (signal?.aborted) return abort();
      signal?.addEventListener("abort", abort, { once: true });
      serve();
    });
  }

  function give(caller: Caller, places: number): void {
    const calls = callsOf(caller);
    calls.taken -= places;
    calls.working--;
    taken -= places;
    forgetIdle(caller);
    serve();
  }

  function serve(): void {
    for (let next = nextInTurn(); next; next = nextInTurn()) {
      const { key, caller, calls, entry } = next;
      callers.delete(key);
      callers.set(key, { caller, calls });
      entry.admit();
    }
  }

  /** Puts prefetches after everything else. Where the next needs more places than are free, all wait until it has them. */
  function nextInTurn() {
    if (waiting === 0 || taken >= bounds.places) return undefined;
    for (const isPrefetch of [false, true]) {
      for (const [key, { caller, calls }] of callers) {
        const entry = calls.queue.find(({ kind }) => (kind === "prefetch") === isPrefetch);
        if (!entry || !isWithinOwn(caller, calls, entry)) continue;
        return taken + entry.places <= bounds.places ? { key, caller, calls, entry } : undefined;
      }
    }
    return undefined;
  }

  /** Creates the Place of one that has just been taken. */
  function createPlace(caller: Caller): Place {
    let state: "held" | "absent" | "left" = "held";
    let returning: Promise<void> | undefined;

    function stepAway(): void {
      if (state !== "held") return;
      state = "absent";
      callsOf(caller).absent++;
      give(caller, 1);
    }

    /** Parts of a call that come back at the same time share its place. */
    async function comeBack(): Promise<void> {
      if (state !== "absent") return;
      returning ??= take(caller, { kind: "return", places: 1 }).then(() => {
        returning = undefined;
        callsOf(caller).absent--;
        if (state === "absent") state = "held";
        // It left while it waited.
        else give(caller, 1);
      });
      await returning;
    }

    async function away<T>(work: () => Promise<T>): Promise<T> {
      stepAway();
      try {
        return await work();
      } finally {
        await comeBack();
      }
    }

    async function onPlaces<T>(places: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      return away(async () => {
        await take(caller, { kind: "search", places }, signal);
        try {
          return await work();
        } finally {
          give(caller, places);
        }
      });
    }

    function leave(): void {
      const before = state;
      state = "left";
      if (before === "held") give(caller, 1);
      if (before !== "absent" || returning) return;
      callsOf(caller).absent--;
      forgetIdle(caller);
    }

    return { away, onPlaces, leave };
  }

  return { enter, counts: () => ({ taken, waiting, callers: callers.size }) };
}

export type Gate = ReturnType<typeof createGate>;

function tooManyCalls(): AppError {
  const message = "You have too many requests under way. Wait a second, then try again.";
  return new AppError("RATE_LIMITED", { message, retryAfter: 1 });
}

function busy(): AppError {
  const message = "Too many people are using the service right now. Wait a few seconds, then try again.";
  return new AppError("SERVICE_UNAVAILABLE", { message, retryAfter: 3 });
}
