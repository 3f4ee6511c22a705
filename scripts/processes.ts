import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** True if a process with this id exists, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * The start time of a process as an opaque string, which identifies it together with its reusable id. Undefined if it
 * is not running.
 */
export function startTimeOf(pid: number): string | undefined {
  if (isZombie(pid)) return undefined;
  if (process.platform === "linux") {
    try {
      // The name in parentheses may contain spaces; the start time is the 20th field after it.
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
    } catch {
      return undefined;
    }
  }
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() || undefined;
}

/** The command line of a process, empty if it is gone; a stored id alone proves nothing, because ids are reused. */
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

/** Waits until the process has exited; false if it is still alive after `milliseconds`. */
export async function waitForExit(pid: number, milliseconds: number): Promise<boolean> {
  const until = Date.now() + milliseconds;
  while (isAlive(pid) && !isZombie(pid)) {
    if (Date.now() > until) return false;
    await pause(25);
  }
  return true;
}

/** Sends a signal; a process that is already gone is not an error. */
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

/** Without an init process, as in a container, an orphan that exited stays listed. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
