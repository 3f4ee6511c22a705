/**
 * Drops what cannot be written to our outputs (the reader was killed, the disk is full). Unhandled, each such write is an
 * uncaught exception, which Next.js logs, which cannot be written either: a loop that answers nobody.
 */
export function dropUnwritable(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
}
