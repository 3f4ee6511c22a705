import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startOf } from "@/scripts/processes";

/** What a lock file says of the process that holds it. */
export type Holder = { pid: number; startedAt: string };

export type Taken<Note> =
  | { holder: Holder & Note }
  /** Ours now; `left` is what a holder that is gone had written. */
  | { holder: undefined; left: (Holder & Note) | undefined };

/** Takes the lock unless a living process holds it. A process that was killed holds nothing, whatever its file says. */
export function takeLock<Note extends object>(file: string, note: Note): Taken<Note> {
  mkdirSync(path.dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  let left: (Holder & Note) | undefined;
  writeLock(own, note);
  try {
    while (true) {
      try {
        // A link comes whole or not at all, so that nobody reads half a file.
        linkSync(own, file);
        return { holder: undefined, left };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = readLock<Note>(file);
      if (found && startOf(found.pid) === found.startedAt) return { holder: found };
      left = found ?? left;
      removeStale(file, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Replaces the note of a lock that this process holds. */
export function writeLock<Note extends object>(file: string, note: Note): void {
  const content = { pid: process.pid, startedAt: startOf(process.pid) ?? "", ...note };
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readLock<Note>(file: string): (Holder & Note) | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder & Note;
  } catch {
    return undefined;
  }
}

/** Another process may replace the stale file while we look: what we then hold in our hands is put back. */
function removeStale(file: string, found: Holder | undefined): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const held = readLock(aside);
  if (held?.pid !== found?.pid) renameSync(aside, file);
  else rmSync(aside);
}
