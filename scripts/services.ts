import { randomUUID } from "node:crypto";
import { type Child, type Exit, killProcessGroup } from "@/scripts/child";
import { restartEmbedded } from "@/scripts/database";
import type { FolderLock } from "@/scripts/folder-lock";
import { expireLeases } from "@/scripts/leases";
import type { RunningPostgres } from "@/scripts/postgres";
import { pause } from "@/scripts/processes";
import type { Service } from "@/scripts/supervise";

export type App = Child & { bootId: string };

/** How to start and watch the app's process. */
export type AppOptions = {
  launch(bootId: string): Child;
  /** Resolves when it responds; throws if it exits or does not come up. */
  untilReady(app: Child): Promise<void>;
  lock: Pick<FolderLock, "remember">;
  databaseUrl: string;
  isEnding(): boolean;
};

/** Exit codes after a graceful shutdown: the app's own, and Next.js' after SIGINT and SIGTERM. */
const GRACEFUL_EXITS = [0, 130, 143];

export function launchApp({ launch, lock }: Pick<AppOptions, "launch" | "lock">): App {
  const bootId = randomUUID();
  const child = launch(bootId);
  lock.remember(child.pid, bootId);
  return { ...child, bootId };
}

/** The app: its leases expire before it is started again, and the new process's sweep resumes the queue. */
export function appService(options: AppOptions): Service<App> {
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
    clear: (app, how, requested) => clear(app, requested ? { ...how, code: 0 } : how),
  };

  async function stopped(app: App): Promise<Exit> {
    await app.stop();
    return app.ended;
  }

  async function clear(app: App, how: Exit): Promise<void> {
    await killProcessGroup(app.pid);
    await retryUntilShutdown(
      () => expireLeases(options.databaseUrl, app.bootId, GRACEFUL_EXITS.includes(how.code)),
      options.isEnding,
    );
  }
}

/** The embedded database, restarted at the same address. */
export function postgresService(folder: string, url: string): Service<RunningPostgres> {
  return { name: "PostgreSQL", start: () => restartEmbedded(folder, url) };
}

/** Retries while the database may be restarting. On shutdown, leftover leases expire by themselves. */
async function retryUntilShutdown(work: () => Promise<void>, isEnding: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    try {
      return await work();
    } catch (error) {
      if (isEnding()) return;
      if (Date.now() > deadline) throw error;
      await pause(200);
    }
  }
}
