import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";

/** The row is written when the engine comes or goes, and otherwise this often at most. */
const HEARTBEAT_SECONDS = 30;

/** The engine did not take what it was sent, or did not answer. */
export async function noteEngineAway(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`
    INSERT INTO engine_state AS e (id, away_since) VALUES (true, now())
    ON CONFLICT (id) DO UPDATE SET away_since = now() WHERE e.away_since IS NULL`);
}

/** The engine answered. True for the one caller, over all processes, whose note ends an absence. */
export async function noteEngineBack(): Promise<boolean> {
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

/** Since when the engine has been away, or null while it is there. */
export async function engineAwaySince(): Promise<Date | null> {
  return (await readPresence()).awaySince;
}

/** Since when the engine has been away, and when its last absence ended. */
export async function readPresence(): Promise<{ awaySince: Date | null; backAt: Date | null }> {
  const row = await prisma.engineState.findUnique({ where: { id: true }, select: { awaySince: true, backAt: true } });
  return row ?? { awaySince: null, backAt: null };
}
