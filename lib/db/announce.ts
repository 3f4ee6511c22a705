import "server-only";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { type BoundedMap, boundedCache } from "@/lib/utils/bounded";

/** The channel on which processes tell each other whose rows have changed. The payload is the user's id. */
export const CHANGES = "work";

/** Users are announced at most this often by a process. */
const EVERY_MS = 250;

/** Whether the user has changed again since the announcement. It is on globalThis: each bundle may have its copy of this module. */
const kept = globalThis as { announcedUsers?: BoundedMap<string, boolean> };

function announced(): BoundedMap<string, boolean> {
  kept.announcedUsers ??= boundedCache(
    "users whose changes were announced",
    10_000,
    "Each for a quarter of a second. One that is forgotten may be announced once more, or its last change late.",
  );
  return kept.announcedUsers;
}

/**
 * Tells all processes that something of the user's has changed, at once or at the end of a quarter of a second. Call it after
 * the change is committed. Nobody waits for it, and it never fails.
 */
export function announceChange(userId: string): void {
  // Without it nobody listens.
  if (!env.DIRECT_DATABASE_URL) return;
  const users = announced();
  if (users.has(userId)) return void users.set(userId, true);
  users.set(userId, false);
  notify(userId);
  setTimeout(() => {
    const hasChanged = users.get(userId);
    users.delete(userId);
    if (hasChanged) announceChange(userId);
  }, EVERY_MS).unref();
}

function notify(userId: string): void {
  pool.query(`SELECT pg_notify('${CHANGES}', $1)`, [userId]).catch((error: unknown) => {
    log.debug({ err: error, userId }, "a change was not announced");
  });
}
