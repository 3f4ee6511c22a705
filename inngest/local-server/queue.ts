import { bounded } from "@/lib/utils/bounded";

/** A concurrency limit; uses of the same key count together. */
export type Slot = { key: string; rule: { limit: number } };

/** Work with the same slots. Continuing a run comes before starting one. */
export type Lane = { key: string; slots: Slot[] };

/** Each lane, and each of its slots, is a live run's. */
const MAX_LANES = 1_000_000;
const OF_RUNS = "Each is a live run's, of which the engine takes fewer.";

type WaitingLane<T> = Lane & { continuing: Fifo<T>; starting: Fifo<T>; state: "idle" | "ready" | "blocked" };

/**
 * A queue with keyed concurrency limits that never scans waiting items. Lanes take turns, so that a short one does not wait
 * for a long one; a lane at a limit sleeps until that key is free. `run` must not reject; dropped items are skipped.
 */
export function createKeyedQueue<T>(options: {
  run: (item: T) => Promise<void>;
  isDropped: (item: T) => boolean;
  maxParallel: number;
}) {
  const lanes = bounded<string, WaitingLane<T>>("lanes", MAX_LANES, OF_RUNS);
  const ready = new Fifo<WaitingLane<T>>();
  const blocked = bounded<string, WaitingLane<T>[]>("limits that lanes wait for", MAX_LANES, OF_RUNS);
  const active = bounded<string, number>("limits in use", MAX_LANES, OF_RUNS);
  let running = 0;
  let waiting = 0;
  let paused = false;
  let starting = false;

  function add(item: T, { key, slots }: Lane, order: "continuing" | "starting"): void {
    let lane = lanes.get(key);
    if (!lane) {
      lane = { key, slots, continuing: new Fifo(), starting: new Fifo(), state: "idle" };
      lanes.set(key, lane);
    }
    lane[order].push(item);
    waiting++;
    if (lane.state === "idle") makeReady(lane);
    startWaiting();
  }

  function startWaiting(): void {
    if (starting || paused) return;
    starting = true;
    try {
      while (running < options.maxParallel) {
        const lane = ready.shift();
        if (!lane) break;
        lane.state = "idle";
        startOne(lane);
      }
    } finally {
      starting = false;
    }
  }

  function startOne(lane: WaitingLane<T>): void {
    const line = nextLine(lane);
    if (!line) {
      lanes.delete(lane.key);
      return;
    }
    const full = lane.slots.find((slot) => (active.get(slot.key) ?? 0) >= slot.rule.limit);
    if (full) {
      lane.state = "blocked";
      const sleepers = blocked.get(full.key);
      if (sleepers) sleepers.push(lane);
      else blocked.set(full.key, [lane]);
      return;
    }
    const item = line.shift() as T;
    waiting--;
    running++;
    for (const { key } of lane.slots) active.set(key, (active.get(key) ?? 0) + 1);
    makeReady(lane);
    options.run(item).finally(() => free(lane.slots));
  }

  function nextLine(lane: WaitingLane<T>): Fifo<T> | undefined {
    for (const line of [lane.continuing, lane.starting]) {
      for (let first = line.peek(); first !== undefined; first = line.peek()) {
        if (!options.isDropped(first)) return line;
        line.shift();
        waiting--;
      }
    }
    return undefined;
  }

  function free(slots: Slot[]): void {
    running--;
    for (const { key } of slots) {
      const left = (active.get(key) ?? 1) - 1;
      if (left > 0) active.set(key, left);
      else active.delete(key);
      wake(key);
    }
    startWaiting();
  }

  function wake(key: string): void {
    const sleepers = blocked.get(key);
    if (!sleepers) return;
    blocked.delete(key);
    for (const lane of sleepers) makeReady(lane);
  }

  function makeReady(lane: WaitingLane<T>): void {
    lane.state = "ready";
    ready.push(lane);
  }

  return {
    add,
    /** Starts nothing until `resume`; running items continue. */
    pause: () => {
      paused = true;
    },
    resume: () => {
      if (!paused) return;
      paused = false;
      startWaiting();
    },
    /** Checks every lane again after limits have changed. */
    recheck: () => {
      for (const key of [...blocked.keys()]) wake(key);
      startWaiting();
    },
    counts: () => ({ waiting, running }),
  };
}

/** A FIFO with constant-time shift; Array.shift is linear. */
class Fifo<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  push(item: T): void {
    this.items.push(item);
  }

  peek(): T | undefined {
    return this.items[this.head];
  }

  shift(): T | undefined {
    const item = this.items[this.head];
    if (this.head >= this.items.length) return undefined;
    this.items[this.head++] = undefined;
    if (this.head > 1000 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}
