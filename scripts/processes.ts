import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Does a process with this id exist (whoever owns it)? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * When the process began, as an opaque text: with the id it names one process for good, because ids are reused.
 * Undefined when it no longer runs.
 */
export function startOf(pid: number): string | undefined {
  if (isZombie(pid)) return undefined;
  if (process.platform === "linux") {
    try {
      // The name in parentheses may hold spaces; the start time is the 20th field after it.
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    } catch {
      return undefined;
    }
  }
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() || undefined;
}

/** The command line of a process, empty when it is gone; process ids are reused, so a stored id alone proves nothing. */
export function commandLine(pid: number): string {
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    } catch {
      return "";
    }
  }
  return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? "";
}

/** Waits until the process has ended; false when it still lives after `milliseconds`. */
export async function ended(pid: number, milliseconds: number): Promise<boolean> {
  const until = Date.now() + milliseconds;
  while (isAlive(pid) && !isZombie(pid)) {
    if (Date.now() > until) return false;
    await pause(25);
  }
  return true;
}

/** Sends a signal; a process that has already gone is not an error. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** In a container without an init process an orphan that ended stays listed: it no longer runs. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
