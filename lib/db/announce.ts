import "server-only";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { type BoundedMap, boundedCache } from "@/lib/utils/bounded";

/** The channel on which processes tell each other what has changed. The payload is the id of a user, or of a job that is watched. */
export const CHANGES = "work";

/** A process announces each of them at most this often. */
const EVERY_MS = 250;

/** Whether there was a change since the announcement. It is on globalThis: each bundle may have its copy of this module. */
const kept = globalThis as { announcedChanges?: BoundedMap<string, boolean> };

function announcements(): BoundedMap<string, boolean> {
  kept.announcedChanges ??= boundedCache(
    "announced changes",
    10_000,
    "Each for a quarter of a second. One that is forgotten may be announced once more, or its last change late.",
  );
  return kept.announcedChanges;
}

/**
 * Tells all processes that something of a user's has changed, or of the texts of a watched job, at once or at the end of a quarter
 * of a second. Call it after the change is committed. Nobody waits for it, and it never fails.
 */
export function announceChange(id: string): void {
  // Without it nobody listens.
  if (!env.DIRECT_DATABASE_URL) return;
  const all = announcements();
  if (all.has(id)) return void all.set(id, true);
  all.set(id, false);
  notify(id);
  setTimeout(() => {
    const hasChanged = all.get(id);
    all.delete(id);
    if (hasChanged) announceChange(id);
  }, EVERY_MS).unref();
}

function notify(id: string): void {
  pool.query(`SELECT pg_notify('${CHANGES}', $1)`, [id]).catch((error: unknown) => {
    log.debug({ err: error, id }, "a change was not announced");
  });
}
