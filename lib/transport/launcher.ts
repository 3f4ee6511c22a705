import "server-only";
import type { Readable } from "node:stream";

/** For requests in flight, as when the launcher asks: below the 30 s that platforms wait. */
const DRAIN_MS = 25_000;

/**
 * Ends this process as SIGTERM does once the launcher that started it is gone, however that ended: without it the engine
 * is gone too, and what is queued here would wait for ever. The launcher holds the other end of our standard input, and
 * the system closes it with the launcher.
 */
export function endWithLauncher(input: Readable = process.stdin, end: (hurry: boolean) => void = endSelf): void {
  input.once("close", () => {
    end(false);
    setTimeout(() => end(true), DRAIN_MS).unref();
  });
  // Only what is read is found to have ended.
  input.on("error", () => undefined).resume();
}

function endSelf(hurry: boolean): void {
  process.kill(process.pid, hurry ? "SIGKILL" : "SIGTERM");
}
