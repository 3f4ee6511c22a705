import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { log } from "@/lib/log";

/** The row is written when the engine comes or goes, otherwise at most this often. */
const HEARTBEAT_SECONDS = 30;

/** Records that the engine could not be reached, in one row: a process cannot tell what the others have met. */
export async function markEngineAway(): Promise<void> {
  notedBackAt = Number.NEGATIVE_INFINITY;
  await prisma.$executeRaw(Prisma.sql`
    INSERT INTO engine_state AS e (id, away_since) VALUES (true, now())
    ON CONFLICT (id) DO UPDATE SET away_since = now() WHERE e.away_since IS NULL`);
}

/** The engine calls often: a process notes it at most once per second. */
const NOTE_EVERY_MS = 1_000;
let notedBackAt = Number.NEGATIVE_INFINITY;

/** Records that the engine answered. True for the one caller in any process that ends an outage. */
export async function markEngineBack(): Promise<boolean> {
  if (performance.now() - notedBackAt < NOTE_EVERY_MS) return false;
  notedBackAt = performance.now();
  const rows = await prisma.$queryRaw<{ ended: boolean }[]>(Prisma.sql`
    WITH old AS (
      SELECT away_since FROM engine_state
      WHERE away_since IS NOT NULL OR seen_at IS NULL OR seen_at < now() - make_interval(secs => ${HEARTBEAT_SECONDS})
      FOR UPDATE
    )
    UPDATE engine_state e
    SET away_since = NULL, seen_at = now(), back_at = CASE WHEN old.away_since IS NULL THEN e.back_at ELSE now() END
    FROM old RETURNING old.away_since IS NOT NULL AS ended`);
  return rows.some((row) => row.ended);
}

/** As `markEngineAway`, for work whose own failure matters more than this one. */
export async function noteEngineAway(): Promise<void> {
  await markEngineAway().catch(logFailure);
}

/** As `markEngineBack`, for work that the engine has taken, whether we can write that down or not. */
export async function noteEngineBack(): Promise<boolean> {
  return (await markEngineBack().catch(logFailure)) ?? false;
}

function logFailure(error: unknown): undefined {
  log.warn({ err: error }, "whether the engine is there could not be noted");
}

/** SQL value: when the engine went away, or null if it is there. */
export const ENGINE_AWAY_SINCE = Prisma.sql`(SELECT away_since FROM engine_state)`;

/** Returns when the engine went away, or null if it is there. */
export async function engineAwaySince(): Promise<Date | null> {
  return (await readPresence()).awaySince;
}

/** The state of the engine for monitors; `unknown` until a process of this app has spoken with it. */
export async function enginePresence(): Promise<"up" | "away" | "unknown"> {
  const row = await readState();
  if (row?.awaySince) return "away";
  return row?.seenAt ? "up" : "unknown";
}

/** Returns when the engine went away, and when its last outage ended. */
export async function readPresence(): Promise<{ awaySince: Date | null; backAt: Date | null }> {
  return (await readState()) ?? { awaySince: null, backAt: null };
}

/** Prisma makes one query of several findUnique of one moment, with `in`, which the key's type, a boolean, does not have. */
function readState() {
  return prisma.engineState.findFirst({
    where: { id: true },
    select: { awaySince: true, backAt: true, seenAt: true },
  });
}
