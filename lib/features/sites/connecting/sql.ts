import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";

/** A connection that waits for the user's approval on the site. */
export type Waiting = {
  /** The hash of its state: reading the table lets nobody finish a connection. */
  id: string;
  userId: string;
  /** The hash of the token of the session that began it. */
  session: string;
};
/**
 * `url` is what is saved, for the `target` of connectInput; `places` are those that the site may say it is at (see placeOf).
 */
export type ExpectedSite = { url: string; places: string[]; target: string | null; name: string | null };

/** It can be finished for ten minutes. */
export async function insertWaiting({ id, userId, session }: Waiting, site: ExpectedSite): Promise<void> {
  const { url, places, target, name } = site;
  await prisma.$executeRaw(Prisma.sql`
    INSERT INTO site_connections (id, user_id, session_token, url, places, target, name, expires_at)
    VALUES (${id}, ${userId}::uuid, ${session}, ${url}, ${places}::text[], ${target}, ${name}, now() + interval '10 minutes')`);
}

/** Takes it out of the table, so that it is finished once. Undefined if it is missing, expired or not this session's. */
export async function takeWaiting({ id, userId, session }: Waiting): Promise<ExpectedSite | undefined> {
  const [site] = await prisma.$queryRaw<ExpectedSite[]>(Prisma.sql`
    DELETE FROM site_connections
    WHERE id = ${id} AND user_id = ${userId}::uuid AND session_token = ${session} AND expires_at > now()
    RETURNING url, places, target, name`);
  return site;
}

/** Deletes those that can no longer be finished. */
export async function pruneWaiting(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM site_connections WHERE expires_at <= now()`);
}
