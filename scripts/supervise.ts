import type { Ended } from "@/scripts/child";

/** Something that runs, and what it is when it does not any more. */
export type Running = { ended: Promise<Ended>; stop(): Promise<void> };

export type Part<R extends Running> = {
  /** As sentences begin with it: "The app". */
  name: string;
  /** Starts it again and settles when it is ready; throws when it does not become so. */
  start(): Promise<R>;
  /** Clears up after one that ended, before another is started. `asked` is false when it ended by itself. */
  clear?(gone: R, how: Ended, asked: boolean): Promise<void>;
};

export type Clock = { now(): number; pause(milliseconds: number): Promise<void> };

export type SuperviseOptions = {
  clock: Clock;
  print: (line: string) => void;
  /** Is everything being ended? Nothing is started again then. */
  isEnding(): boolean;
};

export type Supervised = {
  /** Settles with the reason, as a sentence, when it ended too often. */
  gaveUp: Promise<Error>;
  /** Ends it and starts it again; settles when it runs, or when supervision is over. Does not count as an end by itself. */
  restart(): Promise<void>;
  /** Ends it, and settles when it has been cleared up. */
  stop(): Promise<void>;
};

/** Ends by itself within `WINDOW_MS` of running (the time a start takes is not counted) after which it is given up. */
const MOST_ENDS = 5;
const WINDOW_MS = 60_000;
/** Before the first, second … start after an end; the last one goes on. */
const PAUSES_MS = [0, 1_000, 2_000, 4_000];

/** Keeps a part running: starts it again each time it ends by itself, until everything ends or it ended too often. */
export function supervise<R extends Running>(part: Part<R>, first: R, options: SuperviseOptions): Supervised {
  const { clock, print, isEnding } = options;
  let current = first;
  let stopping = false;
  let restarting: { done: Promise<void>; settle: () => void } | undefined;
  let ran = 0;
  let ends: number[] = [];
  let giveUp: (reason: Error) => void;
  const gaveUp = new Promise<Error>((resolve) => {
    giveUp = resolve;
  });

  const isOver = () => stopping || isEnding();

  async function watch(): Promise<void> {
    for (let since = clock.now(); ; since = clock.now()) {
      const how = await current.ended;
      ran += clock.now() - since;
      const asked = isOver() || restarting !== undefined;
      await part.clear?.(current, how, asked);
      if (isOver() || !(await startAgain(how, asked))) return;
      restarting?.settle();
      restarting = undefined;
    }
  }

  /** False when there is nothing to watch any more. */
  async function startAgain(how: Ended, asked: boolean): Promise<boolean> {
    for (let last = how, wanted = asked; ; wanted = false) {
      if (!wanted && !(await mayTryAgain(last))) return false;
      const began = clock.now();
      try {
        current = await part.start();
        print(`✓ ${part.name} runs again (${((clock.now() - began) / 1000).toFixed(1)} s)`);
        return true;
      } catch (error) {
        if (isOver()) return false;
        last = { code: 1, lastLines: error instanceof Error ? error.message : String(error) };
      }
    }
  }

  async function mayTryAgain({ code, lastLines }: Ended): Promise<boolean> {
    ends = [...ends.filter((at) => at > ran - WINDOW_MS), ran];
    if (ends.length >= MOST_ENDS) {
      giveUp(new Error(`${lastLines}\n\n${part.name} ended five times within a minute: see the lines above.`));
      return false;
    }
    print(`${part.name} ended by itself (code ${code}) and is started again.`);
    await clock.pause(PAUSES_MS[ends.length - 1] ?? PAUSES_MS.at(-1) ?? 0);
    return !isOver();
  }

  const watching = watch().catch((error: unknown) => giveUp(error instanceof Error ? error : new Error(String(error))));
  watching.then(() => restarting?.settle());

  async function restart(): Promise<void> {
    if (isOver()) return;
    if (!restarting) {
      let settle = () => {};
      const done = new Promise<void>((resolve) => {
        settle = resolve;
      });
      restarting = { done, settle };
      await current.stop();
    }
    await restarting?.done;
  }

  return {
    gaveUp,
    restart,
    async stop() {
      stopping = true;
      await current.stop();
      await watching;
      // A start that was under way when it was asked to stop.
      await current.stop();
    },
  };
}
