/**
 * Drops what cannot be written to these outputs (the reader was killed, the disk is full). Unhandled, each such write is an
 * uncaught exception, which Next.js logs, which cannot be written either: a loop that answers nobody.
 */
export function dropUnwritable(...outputs: Pick<NodeJS.EventEmitter, "on">[]): void {
  for (const output of outputs) output.on("error", () => undefined);
}
