import { stopChildren } from "@/scripts/child";

/** What has been started and how it is ended, newest first. It may run while more is still being started. */
export type Shutdown = {
  /** Once run() was called, ends the new part at once and throws. */
  add(end: () => Promise<void> | void): Promise<void>;
  /** True from the moment run() was called. */
  readonly begun: boolean;
  /** Ends everything; calling it again waits for the same end. */
  run(): Promise<void>;
};

export function createShutdown(): Shutdown {
  const parts: (() => Promise<void> | void)[] = [];
  let running: Promise<void> | undefined;

  async function endAll(): Promise<void> {
    // Children first: a build or a seed is nobody's part, and the app must let go of the database before it stops.
    await stopChildren();
    for (const end of parts.reverse()) {
      try {
        await end();
      } catch (error) {
        console.error(`Ending a part failed: ${error instanceof Error ? error.message : error}`);
      }
    }
  }

  return {
    get begun() {
      return running !== undefined;
    },
    async add(end) {
      if (running) {
        await end();
        throw new Error("Stopped while starting.");
      }
      parts.push(end);
    },
    run() {
      running ??= endAll();
      return running;
    },
  };
}
