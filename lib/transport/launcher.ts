import "server-only";
import type { Readable } from "node:stream";

/** The time for requests in flight, below the 30 s that platforms wait. */
const DRAIN_MS = 25_000;

/**
 * Shuts down when the launcher that started this process is gone: the engine is gone with it, and our queue would wait
 * forever. The launcher holds the other end of stdin, which the system closes when it ends.
 */
export function exitWithLauncher(input: Readable = process.stdin, end: (force: boolean) => void = endSelf): void {
  input.once("close", () => {
    end(false);
    setTimeout(() => end(true), DRAIN_MS).unref();
  });
  // Only a stream that is read notices its end.
  input.on("error", () => undefined).resume();
}

function endSelf(force: boolean): void {
  process.kill(process.pid, force ? "SIGKILL" : "SIGTERM");
}
