import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { killProcessGroup } from "@/scripts/child";
import { acquireLock, writeLock } from "@/scripts/lock-file";
import { removePostgres } from "@/scripts/postgres";
import { startTimeOf, waitForExit } from "@/scripts/processes";
import type { Print } from "@/scripts/progress";

const NOTE = "running.json";

type Note = { url: string; app?: { pid: number; startedAt: string; bootId?: string } };

export type FolderLock = {
  /** The boot id of an app that a killed launcher left behind; it has exited by now. */
  orphanBootId: string | undefined;
  /** Records the app's process, so that the next start can stop it and expire its leases if this process is killed. */
  remember(appPid: number, bootId: string): void;
  release(): void;
};

/** An orphaned app exits by itself, once its in-flight requests are done. */
const ORPHAN_TIMEOUT_MS = 30_000;

/**
 * Locks a data folder for this process, and waits for an orphaned app to exit. Throws if another process is using the
 * folder.
 */
export async function lockFolder(folder: string, url: string, print?: Print): Promise<FolderLock> {
  const file = path.join(folder, NOTE);
  const taken = acquireLock<Note>(file, { url });
  if (taken.holder) {
    const { pid, url: address } = taken.holder;
    throw new Error(
      `Content Planner is already running on ${address} (process ${pid}): open it there, or stop it first.`,
    );
  }
  const left = taken.left?.app;
  // Keep the orphan in the note until our own app is there, in case we are killed before its leases have expired.
  if (left) writeLock<Note>(file, { url, app: left });
  if (left && startTimeOf(left.pid) === left.startedAt) await stopOrphan(left, print);
  return {
    orphanBootId: left?.bootId,
    remember: (pid, bootId) => writeLock<Note>(file, { url, app: { pid, startedAt: startTimeOf(pid) ?? "", bootId } }),
    release: () => rmSync(file, { force: true }),
  };
}

async function stopOrphan({ pid, bootId }: NonNullable<Note["app"]>, print: Print = () => undefined): Promise<void> {
  // Only an app with a boot id notices that its launcher is gone.
  if (bootId && !(await waitForExit(pid, 500))) {
    print("  The app of an earlier start is finishing its last requests …");
    await waitForExit(pid, ORPHAN_TIMEOUT_MS);
  }
  await killProcessGroup(pid);
}

/** Removes everything in a locked folder but the lock. */
export async function clearFolder(folder: string): Promise<void> {
  await removePostgres(path.join(folder, "postgres"));
  for (const name of readdirSync(folder)) {
    if (name !== NOTE) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}
