import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

export type Watchdog = {
  /** Pass it to a child to keep PostgreSQL up for as long as the child lives. */
  pipe: Writable;
};

/**
 * PostgreSQL does not notice its parent's death, so a shell waits for it. By then the pid may belong to another
 * program.
 */
const WAIT_AND_END = `
cat >/dev/null
read -r pid <"$1/postmaster.pid" || exit 0
line=$(tr '\\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null || ps -o command= -p "$pid")
case "$line" in *postgres*"$1"*) kill -INT "$pid" ;; esac`;

/**
 * Stops the PostgreSQL of a cluster once this process, and every child that was given `pipe`, has exited for any
 * reason. Undefined on Windows, where the next start cleans up.
 */
export function startWatchdog(cluster: string): Watchdog | undefined {
  if (process.platform === "win32") return undefined;
  // Detached, so that killing our process group spares it.
  const guard = spawn("/bin/sh", ["-c", WAIT_AND_END, "sh", cluster], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  return { pipe: guard.stdin };
}
