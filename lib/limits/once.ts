import "server-only";
import { createHash } from "node:crypto";
import { Prisma, prisma } from "@/lib/db/prisma";

/** Returns true to one caller across all processes until `seconds` have passed; the scheduled sweep deletes expired rows. */
export async function claimOnce(what: string, seconds: number): Promise<boolean> {
  const key = `once:${createHash("sha256").update(what).digest("base64url")}`;
  const rows = await prisma.$queryRaw<{ key: string }[]>(Prisma.sql`
    INSERT INTO rate_limits AS r (key, hits, expires_at) VALUES (${key}, 1, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at WHERE r.expires_at <= now()
    RETURNING key`);
  return rows.length > 0;
}
