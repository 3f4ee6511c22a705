import { randomUUID } from "node:crypto";
import { type Child, type Ended, endGroup } from "@/scripts/child";
import { restartEmbedded } from "@/scripts/database";
import { endLeases } from "@/scripts/leases";
import type { RunningPostgres } from "@/scripts/postgres";
import { pause } from "@/scripts/processes";
import type { Claim } from "@/scripts/running";
import type { Part } from "@/scripts/supervise";

export type App = Child & { bootId: string };

/** What is asked of the app's process, however it is started. */
export type AppOptions = {
  launch(bootId: string): Child;
  /** Settles when it answers; throws when it ends or does not come up. */
  untilReady(app: Child): Promise<void>;
  claim: Pick<Claim, "remember">;
  databaseUrl: string;
  isEnding(): boolean;
};

/** Exit codes of an app that answered what was in flight: its own end, and Next.js' after SIGINT and SIGTERM. */
const IN_ORDER = [0, 130, 143];

/** Starts the app's process under a boot id of its own. */
export function launchApp({ launch, claim }: Pick<AppOptions, "launch" | "claim">): App {
  const bootId = randomUUID();
  const child = launch(bootId);
  claim.remember(child.pid, bootId);
  return { ...child, bootId };
}

/** The app: when it ends, what it held is free before the next one comes up, whose sweep takes the queue up. */
export function appPart(options: AppOptions): Part<App> {
  return {
    name: "The app",
    async start() {
      const app = launchApp(options);
      try {
        await options.untilReady(app);
        return app;
      } catch (error) {
        const how = await stopped(app);
        await clear(app, how);
        throw error;
      }
    },
    clear: (gone, how, asked) => clear(gone, asked ? { ...how, code: 0 } : how),
  };

  async function stopped(app: App): Promise<Ended> {
    await app.stop();
    return app.ended;
  }

  async function clear(gone: App, how: Ended): Promise<void> {
    await endGroup(gone.pid);
    await untilEnded(() => endLeases(options.databaseUrl, gone.bootId, IN_ORDER.includes(how.code)), options.isEnding);
  }
}

/** The embedded database, at the same address. */
export function postgresPart(folder: string, url: string): Part<RunningPostgres> {
  return { name: "PostgreSQL", start: () => restartEmbedded(folder, url) };
}

/** The database may just be starting again; when all ends, leases left behind run out by themselves. */
async function untilEnded(endThem: () => Promise<void>, isEnding: () => boolean): Promise<void> {
  for (const until = Date.now() + 60_000; ; ) {
    try {
      return await endThem();
    } catch (error) {
      if (isEnding()) return;
      if (Date.now() > until) throw error;
      await pause(200);
    }
  }
}
