import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { Bench } from "@/tests/bench/benchmark";
import type { Side } from "@/tests/bench/fairness/attack";
import { type Answers, type Pattern, startTraffic, type Traffic } from "@/tests/bench/fairness/traffic";
import { usageOf, watchResident } from "@/tests/bench/usage";

/** The app counts as quiet when this many answers in a row take less than `QUIET_MS`. */
const QUIET_ANSWERS = 5;
const QUIET_MS = 50;
/** An app that stays busy for longer than this is measured busy. */
const QUIET_LIMIT_MS = 60_000;
const ATTACK = "the attack";

/** What one side of a round measured. Memory in bytes; undefined when the app's process is gone. */
export type Measured = {
  others: Record<string, Answers>;
  attack: Answers | undefined;
  beside: Record<string, number>;
  residentMost: number | undefined;
  residentAtEnd: number | undefined;
  load: number;
};

type SideOptions = {
  side: Side;
  seconds: number;
  /** How the attack is sent; a side without it has no attack. */
  pattern?: Pattern;
};

/** Starts the processes that send; returns what runs one side of a round. */
export async function createSides(
  bench: Bench,
  others: Traffic[],
): Promise<(options: SideOptions) => Promise<Measured>> {
  const { url, appPid } = bench.stack;
  const [asking, attacking] = [await startTraffic(bench), await startTraffic(bench)];
  return async ({ side: { calls, watched = [], beside }, seconds, pattern }) => {
    await waitUntilQuiet(url);
    const memory = watchMemory(appPid);
    asking.begin(url, [...others, ...watched]);
    if (pattern) attacking.begin(url, [{ name: ATTACK, pattern, calls }]);
    try {
      const [figures = {}] = await Promise.all([beside?.(), wait(seconds * 1_000)]);
      const resident = memory.end();
      return { ...resident, beside: figures, load: loadavg()[0] ?? 0, ...(await ended(pattern)) };
    } catch (error) {
      await ended(pattern);
      throw error;
    }
  };

  /** Ends all sending; what the others still wait for is measured to its end. */
  async function ended(pattern: Pattern | undefined) {
    const [attack, others] = await Promise.all([pattern && attacking.end(), asking.end()]);
    return { attack: attack?.[ATTACK], others };
  }
}

function watchMemory(pid: number) {
  const watch = unlessGone(() => watchResident(pid));
  return {
    end: () => ({
      residentMost: watch && unlessGone(() => watch.end()),
      // Nothing is left of a process that is gone.
      residentAtEnd: usageOf(pid).resident || undefined,
    }),
  };
}

/** The app may have been killed and started again under another id. */
function unlessGone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

async function waitUntilQuiet(url: string): Promise<void> {
  const deadline = Date.now() + QUIET_LIMIT_MS;
  for (let quick = 0; quick < QUIET_ANSWERS && Date.now() < deadline; await wait(QUIET_MS)) {
    const began = performance.now();
    const isAnswered = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(QUIET_LIMIT_MS) }).then(
      (answer) => answer.ok,
      () => false,
    );
    quick = isAnswered && performance.now() - began < QUIET_MS ? quick + 1 : 0;
  }
}
