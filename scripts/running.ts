import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { endGroup } from "@/scripts/child";
import { takeLock, writeLock } from "@/scripts/lock-file";
import { removePostgres } from "@/scripts/postgres";
import { ended, startOf } from "@/scripts/processes";
import type { Print } from "@/scripts/progress";

const NOTE = "running.json";

type Note = { url: string; app?: { pid: number; startedAt: string; bootId?: string } };

export type Claim = {
  /** The boot id of an app that a killed process left behind, and that has ended by now. */
  lostBootId: string | undefined;
  /** Writes down the app's process, so that it can be ended should this one be killed, and its leases with it. */
  remember(appPid: number, bootId: string): void;
  release(): void;
};

/** An app ends by itself when its launcher was killed; its requests in flight may take until then. */
const ORPHAN_MS = 30_000;

/**
 * Makes this process the one that serves a data folder. An app that a killed process left behind has ended before this
 * settles. Throws one sentence when another one is at it.
 */
export async function claimFolder(folder: string, url: string, print?: Print): Promise<Claim> {
  const file = path.join(folder, NOTE);
  const taken = takeLock<Note>(file, { url });
  if (taken.holder) {
    const { pid, url: address } = taken.holder;
    throw new Error(
      `Content Planner is already running on ${address} (process ${pid}): open it there, or end it first.`,
    );
  }
  const left = taken.left?.app;
  // Kept in the note until an app of ours is: should we be killed before its leases have ended.
  if (left) writeLock<Note>(file, { url, app: left });
  if (left && startOf(left.pid) === left.startedAt) await endOrphan(left, print);
  return {
    lostBootId: left?.bootId,
    remember: (pid, bootId) => writeLock<Note>(file, { url, app: { pid, startedAt: startOf(pid) ?? "", bootId } }),
    release: () => rmSync(file, { force: true }),
  };
}

async function endOrphan({ pid, bootId }: NonNullable<Note["app"]>, print: Print = () => undefined): Promise<void> {
  // Only one that was given a boot id knows that its launcher is gone.
  if (bootId && !(await ended(pid, 500))) {
    print("  The app of an earlier start is answering its last requests …");
    await ended(pid, ORPHAN_MS);
  }
  await endGroup(pid);
}

/** Removes everything of a claimed folder but the claim itself. */
export async function emptyFolder(folder: string): Promise<void> {
  await removePostgres(path.join(folder, "postgres"));
  for (const name of readdirSync(folder)) {
    if (name !== NOTE) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}
