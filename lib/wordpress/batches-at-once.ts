import "server-only";
import pLimit from "p-limit";

export type BatchAnswer = { phase?: string | undefined; writes: number; duration: number; limit: number };

export type BatchesAtOnce = {
  /** Sends a batch when it is its turn. */
  run<Answer>(send: () => Promise<Answer>): Promise<Answer>;
  limit(): number;
  /** A good answer after `duration` milliseconds, to a batch sent when `limit` might run at once. */
  measure(answer: BatchAnswer): void;
};

/**
 * How many batches a site gets at once: hill climbing on its throughput, which is their number over the time that each takes
 * (Little's law). Tries one more after a few answers, and goes back unless the site then does more: one that has no
 * processor left takes as much longer for each, or more. Tries again after some time.
 */
export function createBatchesAtOnce(most: number): BatchesAtOnce {
  const turns = pLimit(Math.min(START, most));
  let quietFor = 0;
  let answers: BatchAnswer[] = [];
  let below: Throughput | undefined;
  return { run: (send) => turns(send), limit: () => turns.concurrency, measure };

  function measure(answer: BatchAnswer): void {
    const limit = turns.concurrency;
    quietFor--;
    if (answer.limit !== limit || (limit >= most && !below)) return;
    // The larger a batch, the faster are its writes: only batches of about the same size tell.
    if (answers.some(({ writes }) => sizeOf(writes) !== sizeOf(answer.writes))) answers = [];
    answers.push(answer);
    const reached = throughputOf(answers, limit);
    if (!reached) return;
    answers = [];
    const isMore = below?.of === reached.of && reached.perMs >= GAIN * below.perMs;
    if (below && !isMore) {
      // What cannot be compared says nothing about the next try.
      if (below.of === reached.of) quietFor = QUIET;
      move(limit - 1, undefined);
    } else if (limit < most && quietFor <= 0) move(limit + 1, reached);
    else below = undefined;
  }

  function move(to: number, from: Throughput | undefined): void {
    turns.concurrency = to;
    below = from;
  }
}

const START = 2;
/** What one more has to bring: of two, a half more would be perfect. */
const GAIN = 1.1;
/** Answers after which nothing is tried again. */
const QUIET = 50;
/** Answers that make a throughput, and those of each phase. */
const WINDOW = 6;
const WINDOW_OF_PHASE = 3;

/** `of`: what was measured; others are not comparable. */
type Throughput = { of: string; perMs: number };

/** Undefined: not enough answers yet. Creating posts is faster than giving them their texts, so each phase counts once. */
function throughputOf(answers: BatchAnswer[], limit: number): Throughput | undefined {
  const phases = [...new Set(answers.map(({ phase }) => phase))].sort();
  const durations = phases.map((phase) =>
    answers.filter((each) => each.phase === phase).map(({ duration, writes }) => duration / writes),
  );
  if (answers.length < WINDOW || durations.some(({ length }) => length < WINDOW_OF_PHASE)) return undefined;
  const msPerWrite = durations.reduce((sum, some) => sum + median(some), 0);
  return { of: `${sizeOf(answers[0]?.writes ?? 1)} ${phases}`, perMs: limit / msPerWrite };
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** 12 and 13 are one size, 25 another. */
function sizeOf(writes: number): number {
  return Math.round(Math.log2(writes));
}
