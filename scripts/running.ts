import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { endGroup } from "@/scripts/child";
import { takeLock, writeLock } from "@/scripts/lock-file";
import { removePostgres } from "@/scripts/postgres";
import { startOf } from "@/scripts/processes";

const NOTE = "running.json";

type Note = { url: string; app?: { pid: number; startedAt: string } };

export type Claim = {
  /** Writes down the app's process, so that it can be ended should this one be killed. */
  remember(appPid: number): void;
  release(): void;
};

/**
 * Makes this process the one that serves a data folder. An app that a killed process left behind is ended first.
 * Throws one sentence when another one is at it.
 */
export async function claimFolder(folder: string, url: string): Promise<Claim> {
  const file = path.join(folder, NOTE);
  const taken = takeLock<Note>(file, { url });
  if (taken.holder) {
    const { pid, url: address } = taken.holder;
    throw new Error(
      `Content Planner is already running on ${address} (process ${pid}): open it there, or end it first.`,
    );
  }
  const orphan = taken.left?.app;
  if (orphan && startOf(orphan.pid) === orphan.startedAt) await endGroup(orphan.pid);
  return {
    remember: (appPid) => writeLock<Note>(file, { url, app: { pid: appPid, startedAt: startOf(appPid) ?? "" } }),
    release: () => rmSync(file, { force: true }),
  };
}

/** Removes everything of a claimed folder but the claim itself. */
export async function emptyFolder(folder: string): Promise<void> {
  await removePostgres(path.join(folder, "postgres"));
  for (const name of readdirSync(folder)) {
    if (name !== NOTE) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}
