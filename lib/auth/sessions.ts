import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { cookieValues } from "@/lib/auth/cookies";
import { failureSentence } from "@/lib/auth/sign-in-failure";
import { deviceName } from "@/lib/auth/user-agent";
import { CHANGES } from "@/lib/db/announce";
import { columnsSql } from "@/lib/db/columns";
import type { User } from "@/lib/db/generated/client";
import { type Db, Prisma, prisma, USER_SECRETS } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { noteSession } from "@/lib/limits/callers";
import { COOKIES, hostCookie } from "@/lib/utils/cookie-names";

/** A session lasts this long from its last renewal. */
export const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;

const secure = env.APP_URL.startsWith("https:");

export const SESSION_COOKIE = hostCookie(COOKIES.session, secure);
export const sessionCookieOptions = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const;

/**
 * The session token of a request. Throws UNAUTHENTICATED for two different ones: a site on the same domain planted one
 * of them, and we cannot tell which.
 */
export function sessionTokenFrom(head: Headers): string | undefined {
  const [token, ...others] = new Set(cookieValues(head.get("cookie"), SESSION_COOKIE));
  if (others.length > 0) throw new AppError("UNAUTHENTICATED", { message: TWO_SESSIONS });
  return token;
}

const TWO_SESSIONS =
  "Your browser sent two different sign-ins for this site, and we cannot tell which is yours. Delete this site's cookies, then sign in.";

type Cookie = { name: string; value: string };

/**
 * next-auth parses cookies its own way: decoded, the last of a name, and longer names as parts of the token. Throws
 * UNAUTHENTICATED when that differs from our reading, since it could act for another session.
 */
export function assertSameSessionCookie(head: Headers, nextAuthCookies: Cookie[]): void {
  const token = sessionTokenFrom(head);
  const isOther = ({ name, value }: Cookie) =>
    name.startsWith(SESSION_COOKIE) && (name !== SESSION_COOKIE || value !== token);
  if (nextAuthCookies.some(isOther)) {
    throw new AppError("UNAUTHENTICATED", { message: failureSentence("Cookies") });
  }
}

export type NewSession = { token: string; expires: Date };

/** The user of a session: every column but the secrets, and whether those are set. */
export type SessionUser = Omit<User, keyof typeof USER_SECRETS> & {
  hasOpenaiApiKey: boolean;
  hasWordpressPassword: boolean;
};

/** Only the hash is stored: a leaked backup signs nobody in. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** It is stored so that users recognise their sessions. */
type SignInClient = { address: string; userAgent?: string };

/** Creates a new session at every sign-in, so that a planted cookie is worthless. */
export async function createSession(userId: string, client: SignInClient, db: Db): Promise<NewSession> {
  const session = newSession();
  await storeSession({ sessionToken: session.token, userId, expires: session.expires }, client, db);
  return session;
}

export async function storeSession(
  { sessionToken, userId, expires }: { sessionToken: string; userId: string; expires: Date },
  client: SignInClient,
  db: Db,
): Promise<void> {
  const data = { sessionToken: hashToken(sessionToken), userId, expires, ...clientColumns(client) };
  await db.session.create({ data, select: { id: true } });
}

/** Without a trusted proxy all clients share one address, which says nothing. */
function clientColumns({ address, userAgent }: SignInClient) {
  return { address: /[.:]/.test(address) ? address : null, userAgent: userAgent ?? null };
}

/**
 * Returns undefined when `password` (the hash) is no longer the account's. The row is locked: a password reset that
 * commits meanwhile ends every session, and this one must not begin after it.
 */
export async function createSessionByPassword(
  userId: string,
  password: string,
  client: SignInClient,
  db: Db,
): Promise<NewSession | undefined> {
  const session = newSession();
  const { userAgent, address } = clientColumns(client);
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH owner AS (
      SELECT id FROM users WHERE id = ${userId}::uuid AND password = ${password} AND disabled_at IS NULL AND deleted_at IS NULL FOR SHARE)
    INSERT INTO sessions (session_token, user_id, expires, user_agent, address)
    SELECT ${hashToken(session.token)}, id, ${session.expires}::timestamptz, ${userAgent}, ${address} FROM owner
    RETURNING id`);
  return rows.length > 0 ? session : undefined;
}

function newSession(): NewSession {
  const token = randomBytes(32).toString("base64url");
  return { token, expires: new Date(Date.now() + SESSION_DAYS * DAY_MS) };
}

export async function endSession(token: string, db: Db = prisma): Promise<void> {
  await endSessions(db, Prisma.sql`session_token = ${hashToken(token)}`);
}

/** Ends all sessions of the user but this one, or all. Returns how many ended. */
export function deleteOtherSessions(userId: string, token: string | undefined, db: Db): Promise<number> {
  const kept = token ? hashToken(token) : "";
  return endSessions(db, Prisma.sql`user_id = ${userId}::uuid AND session_token <> ${kept}`);
}

/** Their streams look up their session once this is committed, and end. */
async function endSessions(db: Db, which: Prisma.Sql): Promise<number> {
  const ended = await db.$queryRaw<unknown[]>(Prisma.sql`
    WITH ended AS (DELETE FROM sessions WHERE ${which} RETURNING user_id)
    SELECT pg_notify(${CHANGES}, user_id::text)::text FROM ended`);
  return ended.length;
}

const MAX_LISTED = 100;

type ListedSession = {
  id: string;
  createdAt: Date;
  expires: Date;
  /** Accurate to a day: sessions are renewed once a day at most. */
  lastUsed: Date;
  userAgent: string | null;
  address: string | null;
  /** Is this the session that asks? */
  current: boolean;
};

/** Lists the asking session first, then the newest first, at most a hundred. */
export async function listSessions(userId: string, token: string | undefined) {
  const rows = await prisma.$queryRaw<ListedSession[]>(Prisma.sql`
    SELECT id, created_at AS "createdAt", expires, user_agent AS "userAgent", address,
      greatest(created_at, expires - make_interval(hours => ${SESSION_DAYS * 24})) AS "lastUsed",
      session_token = ${token ? hashToken(token) : ""} AS current
    FROM sessions WHERE user_id = ${userId}::uuid AND expires > now()
    ORDER BY current DESC, created_at DESC, id DESC LIMIT ${MAX_LISTED}`);
  return rows.map(({ userAgent, ...row }) => ({ ...row, device: deviceName(userAgent) }));
}

/** Did the session sign in within the last `minutes`, by the database's clock? */
export async function isFreshSession(token: string, minutes: number): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ fresh: boolean }[]>(Prisma.sql`
    SELECT created_at > now() - make_interval(mins => ${minutes}) AS fresh FROM sessions
    WHERE session_token = ${hashToken(token)}`);
  return row?.fresh ?? false;
}

const USER_COLUMNS = columnsSql(
  "u",
  Object.values(Prisma.UserScalarFieldEnum).filter((field) => !(field in USER_SECRETS)),
);

/** Reads a session in one statement. Returns undefined when it is missing or expired, or the account is disabled or deleted. */
export async function readSession(token: string): Promise<{ user: SessionUser; expires: Date } | undefined> {
  const [row] = await prisma.$queryRaw<(SessionUser & { expires: Date })[]>(Prisma.sql`
    SELECT ${USER_COLUMNS}, u.openai_api_key IS NOT NULL AS "hasOpenaiApiKey",
      u.wordpress_password IS NOT NULL AS "hasWordpressPassword", s.expires FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.session_token = ${hashToken(token)} AND s.expires > now() AND u.disabled_at IS NULL AND u.deleted_at IS NULL`);
  noteSession(token, row?.id);
  if (!row) return undefined;
  const { expires, ...user } = row;
  return { user, expires };
}

/**
 * Extends the session at most once a day; returns the new expiry when the cookie must be sent again. Call it only for
 * responses that can send it: a page cannot, and the browser would keep the old one.
 */
export async function slideSession(token: string, expires: Date, now = new Date()): Promise<Date | undefined> {
  const next = new Date(now.getTime() + SESSION_DAYS * DAY_MS);
  if (next.getTime() - expires.getTime() < DAY_MS) return undefined;
  // The expiry that was read guards the write: of concurrent requests one writes.
  await prisma.session.updateMany({ where: { sessionToken: hashToken(token), expires }, data: { expires: next } });
  return next;
}
