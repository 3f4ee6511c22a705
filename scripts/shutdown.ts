import { stopChildren } from "@/scripts/child";

/** A stack of cleanups, run newest first. It may run while more is still being started. */
export type Shutdown = {
  /** Registers a cleanup. After run() was called, it runs at once and this throws. */
  add(cleanup: () => Promise<void> | void): Promise<void>;
  /** True once run() was called. */
  readonly begun: boolean;
  /** Runs all cleanups; calling it again waits for the same run. */
  run(): Promise<void>;
};

export function createShutdown(): Shutdown {
  const cleanups: (() => Promise<void> | void)[] = [];
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    // Children first: builds and seeds are not registered, and the app must close its connections before the database
    // stops.
    await stopChildren();
    for (const cleanup of cleanups.reverse()) {
      try {
        await cleanup();
      } catch (error) {
        console.error(`A cleanup failed: ${error instanceof Error ? error.message : error}`);
      }
    }
  }

  return {
    get begun() {
      return running !== undefined;
    },
    async add(cleanup) {
      if (running) {
        await cleanup();
        throw new Error("Stopped while starting.");
      }
      cleanups.push(cleanup);
    },
    run() {
      running ??= runAll();
      return running;
    },
  };
}

/** Runs the cleanups at a signal and exits, in commands that have nothing to finish first. */
export function exitOnSignal(shutdown: Shutdown): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) {
    process.on(signal, () => shutdown.run().then(() => process.exit(130)));
  }
}
