import type { Exit } from "@/scripts/child";

export type Running = { ended: Promise<Exit>; stop(): Promise<void> };

export type Service<R extends Running> = {
  /** Starts a sentence: "The app". */
  name: string;
  /** Starts it again and resolves when it is ready; throws if it does not become so. */
  start(): Promise<R>;
  /** Cleans up after an exit, before the next start. `requested` is false for a crash. */
  clear?(gone: R, how: Exit, requested: boolean): Promise<void>;
};

export type Clock = { now(): number; pause(milliseconds: number): Promise<void> };

export type SuperviseOptions = {
  clock: Clock;
  print: (line: string) => void;
  /** During shutdown nothing is restarted. */
  isEnding(): boolean;
};

export type Supervised = {
  /** Resolves with the reason once it has crashed too often. */
  gaveUp: Promise<Error>;
  /** Restarts it; resolves when it runs, or when supervision is over. Does not count as a crash. */
  restart(): Promise<void>;
  /** Stops it, and resolves after the cleanup. */
  stop(): Promise<void>;
};

/** This many crashes within `WINDOW_MS` of running time (starts do not count) and we give up. */
const MAX_CRASHES = 5;
const WINDOW_MS = 60_000;
/** Back-off before the first, second … restart; the last one repeats. */
const BACKOFF_MS = [0, 1_000, 2_000, 4_000];

/**
 * Keeps a part running: restarts it after each crash, until shutdown or too many crashes. An app that takes jobs while
 * nothing moves would be worse than none.
 */
export function supervise<R extends Running>(part: Service<R>, first: R, options: SuperviseOptions): Supervised {
  const { clock, print, isEnding } = options;
  let current = first;
  let stopping = false;
  let restarting: { done: Promise<void>; settle: () => void } | undefined;
  let ran = 0;
  let crashes: number[] = [];
  let giveUp: (reason: Error) => void;
  const gaveUp = new Promise<Error>((resolve) => {
    giveUp = resolve;
  });

  const isStopping = () => stopping || isEnding();

  async function watch(): Promise<void> {
    for (let since = clock.now(); ; since = clock.now()) {
      const how = await current.ended;
      ran += clock.now() - since;
      const requested = isStopping() || restarting !== undefined;
      await part.clear?.(current, how, requested);
      if (isStopping() || !(await startNext(how, requested))) return;
      restarting?.settle();
      restarting = undefined;
    }
  }

  /** False when there is nothing left to watch. */
  async function startNext(how: Exit, requested: boolean): Promise<boolean> {
    for (let last = how, wanted = requested; ; wanted = false) {
      if (!wanted && !(await backOff(last))) return false;
      const began = clock.now();
      try {
        current = await part.start();
        print(`✓ ${part.name} is running again (${((clock.now() - began) / 1000).toFixed(1)} s)`);
        return true;
      } catch (error) {
        if (isStopping()) return false;
        last = { code: 1, lastLines: error instanceof Error ? error.message : String(error) };
      }
    }
  }

  async function backOff({ code, lastLines }: Exit): Promise<boolean> {
    crashes = [...crashes.filter((at) => at > ran - WINDOW_MS), ran];
    if (crashes.length >= MAX_CRASHES) {
      giveUp(new Error(`${lastLines}\n\n${part.name} crashed five times within a minute; see the lines above.`));
      return false;
    }
    print(`${part.name} exited (code ${code}) and is being restarted.`);
    await clock.pause(BACKOFF_MS[crashes.length - 1] ?? BACKOFF_MS.at(-1) ?? 0);
    return !isStopping();
  }

  const watching = watch().catch((error: unknown) => giveUp(error instanceof Error ? error : new Error(String(error))));
  watching.then(() => restarting?.settle());

  async function restart(): Promise<void> {
    if (isStopping()) return;
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
      // A start may have been in progress when stop() was called.
      await current.stop();
    },
  };
}
