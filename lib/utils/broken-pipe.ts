/**
 * Ignores failed writes to stdout and stderr (a killed reader, a full disk). Otherwise each is an uncaught exception,
 * which Next.js logs, which fails again: an endless loop.
 */
export function ignoreBrokenPipe(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
}
