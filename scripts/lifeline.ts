import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

/** A pipe that ends something when nobody holds it any more. */
export type Lifeline = {
  /** Given to a child, it counts as held for as long as that child lives. */
  held: Writable;
};

/** PostgreSQL knows no parent: a shell waits in our place. The number in the file may be another program's by now. */
const WAIT_AND_END = `
cat >/dev/null
read -r pid <"$1/postmaster.pid" || exit 0
line=$(tr '\\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null || ps -o command= -p "$pid")
case "$line" in *postgres*"$1"*) kill -INT "$pid" ;; esac`;

/**
 * Ends the PostgreSQL of a cluster once this process, and every child that was given `held`, are gone, however they ended.
 * Undefined on Windows, where the next start ends what was left.
 */
export function startLifeline(cluster: string): Lifeline | undefined {
  if (process.platform === "win32") return undefined;
  // Detached: what kills our process group is not to kill this.
  const guard = spawn("/bin/sh", ["-c", WAIT_AND_END, "sh", cluster], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  return { held: guard.stdin };
}
