import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readJson } from "@/scripts/json-file";
import { startTimeOf } from "@/scripts/processes";

/** The process that holds a lock file. */
export type Holder = { pid: number; startedAt: string };

export type LockResult<Note> =
  | { holder: Holder & Note }
  /** We hold the lock; `left` is the note of a previous holder that died. */
  | { holder: undefined; left: (Holder & Note) | undefined };

/** Takes the lock unless a living process holds it; the lock of a dead process is stale. */
export function acquireLock<Note extends object>(file: string, note: Note): LockResult<Note> {
  mkdirSync(path.dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  let left: (Holder & Note) | undefined;
  writeLock(own, note);
  try {
    while (true) {
      try {
        // A link is atomic: nobody reads half a file.
        linkSync(own, file);
        return { holder: undefined, left };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = readJson(file) as (Holder & Note) | undefined;
      if (found && startTimeOf(found.pid) === found.startedAt) return { holder: found };
      left = found ?? left;
      removeStale(file, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Replaces the note of a lock this process holds. */
export function writeLock<Note extends object>(file: string, note: Note): void {
  const content = { pid: process.pid, startedAt: startTimeOf(process.pid) ?? "", ...note };
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Another process may replace the stale file meanwhile: put it back if we moved the wrong one. */
function removeStale(file: string, found: Holder | undefined): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const held = readJson(aside) as Holder | undefined;
  if (held?.pid !== found?.pid) renameSync(aside, file);
  else rmSync(aside);
}
