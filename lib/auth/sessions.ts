import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { deviceName } from "@/lib/auth/device";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { cookieValues } from "@/lib/utils/cookies";
import { signInFailure } from "@/lib/utils/sign-in-failure";

/** A session lives this long after it was last written. */
export const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;

const secure = env.APP_URL.startsWith("https:");

/** The cookie's name and attributes; `__Host-` forbids a Domain and asks for Secure and Path=/ (RFC 6265bis). */
export const SESSION_COOKIE = secure ? "__Host-session" : "session";
export const sessionCookieOptions = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const;

/**
 * The session's token of a request: the one rule, for routes, pages and actions. Two different ones are nobody's: another
 * site of the same domain planted one of them, and we cannot tell which. Throws UNAUTHENTICATED for them.
 */
export function sessionTokenOf(head: Headers): string | undefined {
  const [token, ...others] = new Set(cookieValues(head.get("cookie"), SESSION_COOKIE));
  if (others.length > 0) throw new AppError("UNAUTHENTICATED", { message: TWO_SESSIONS });
  return token;
}

const TWO_SESSIONS =
  "Your browser sent two different sign-ins for this site, and we cannot tell which is yours. Delete this site's cookies, then sign in.";

type Cookie = { name: string; value: string };

/**
 * next-auth reads its cookies by itself: decoded, the last of a name, and every longer name as a part of the token. Where
 * that is not what we read, it could act for another session than ours. Throws UNAUTHENTICATED then.
 */
export function refuseOtherReading(head: Headers, asNextAuthReads: Cookie[]): void {
  const token = sessionTokenOf(head);
  const isOther = ({ name, value }: Cookie) =>
    name.startsWith(SESSION_COOKIE) && (name !== SESSION_COOKIE || value !== token);
  if (asNextAuthReads.some(isOther)) {
    throw new AppError("UNAUTHENTICATED", { message: signInFailure("Cookies") ?? TWO_SESSIONS });
  }
}

export type NewSession = { token: string; expires: Date };

/** The user behind a session, without any secret. */
export type SessionUser = {
  id: string;
  username: string;
  email: string | null;
  displayName: string | null;
  photoURL: string | null;
  wordpressUrl: string | null;
  wordpressUsername: string | null;
  hasOpenaiApiKey: boolean;
  openaiApiKeyHint: string | null;
  hasWordpressPassword: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** The database holds the hash alone: who reads a backup cannot sign in with it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** What is kept of where somebody signs in: what they will recognise the session by. */
type SignInPlace = { address: string; userAgent?: string };

/** A fresh session; a new one at every sign-in, so that a planted cookie is worth nothing. */
export async function createSession(userId: string, place: SignInPlace, db: Db): Promise<NewSession> {
  const session = newSession();
  await storeSession({ sessionToken: session.token, userId, expires: session.expires }, place, db);
  return session;
}

/** Keeps a session under the hash of its token. */
export async function storeSession(
  { sessionToken, userId, expires }: { sessionToken: string; userId: string; expires: Date },
  place: SignInPlace,
  db: Db,
): Promise<void> {
  const data = { sessionToken: hashToken(sessionToken), userId, expires, ...placeColumns(place) };
  await db.session.create({ data, select: { id: true } });
}

/** Behind no trusted proxy all clients share one address: it says nothing, and is not kept. */
function placeColumns({ address, userAgent }: SignInPlace) {
  return { address: /[.:]/.test(address) ? address : null, userAgent: userAgent ?? null };
}

/**
 * A fresh session for whoever knew the password with this hash; undefined when it is no longer the account's. The row is
 * locked: a reset that commits meanwhile ends every session, and this one must not begin after it.
 */
export async function createSessionByPassword(
  userId: string,
  password: string,
  place: SignInPlace,
  db: Db,
): Promise<NewSession | undefined> {
  const session = newSession();
  const { userAgent, address } = placeColumns(place);
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH owner AS (
      SELECT id FROM users WHERE id = ${userId}::uuid AND password = ${password} AND disabled_at IS NULL FOR SHARE)
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
  await db.session.deleteMany({ where: { sessionToken: hashToken(token) } });
}

/** Ends every session of a person but this token's; answers how many. */
export async function endOthers(userId: string, token: string, db: Db): Promise<number> {
  return (await db.session.deleteMany({ where: { userId, sessionToken: { not: hashToken(token) } } })).count;
}

/** Open sessions that are listed; nobody looks through more of them. */
const LISTED = 100;

type ListedSession = {
  id: string;
  createdAt: Date;
  expires: Date;
  /** The end moves on at most once a day, so this is right to a day. */
  lastUsed: Date;
  userAgent: string | null;
  address: string | null;
  /** Is it this token's? */
  current: boolean;
};

/** A person's open sessions: this token's first, then newest first, at most a hundred. */
export async function listSessions(userId: string, token: string | undefined) {
  const rows = await prisma.$queryRaw<ListedSession[]>(Prisma.sql`
    SELECT id, created_at AS "createdAt", expires, user_agent AS "userAgent", address,
      greatest(created_at, expires - make_interval(hours => ${SESSION_DAYS * 24})) AS "lastUsed",
      session_token = ${token ? hashToken(token) : ""} AS current
    FROM sessions WHERE user_id = ${userId}::uuid AND expires > now()
    ORDER BY current DESC, created_at DESC, id DESC LIMIT ${LISTED}`);
  return rows.map(({ userAgent, ...row }) => ({ ...row, device: deviceName(userAgent) }));
}

/** Did the person sign in within the last minutes? By the database's clock. */
export async function isFreshSession(token: string, minutes: number): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ fresh: boolean }[]>(Prisma.sql`
    SELECT created_at > now() - make_interval(mins => ${minutes}) AS fresh FROM sessions
    WHERE session_token = ${hashToken(token)}`);
  return row?.fresh ?? false;
}

const USER_COLUMNS = Prisma.sql`u.id, u.username, u.email, u.display_name AS "displayName", u.photo_url AS "photoURL",
  u.wordpress_url AS "wordpressUrl", u.wordpress_username AS "wordpressUsername",
  u.openai_api_key IS NOT NULL AS "hasOpenaiApiKey", u.openai_api_key_hint AS "openaiApiKeyHint",
  u.wordpress_password IS NOT NULL AS "hasWordpressPassword", u.created_at AS "createdAt", u.updated_at AS "updatedAt"`;

/** Session and user in one statement; undefined when there is none, it ran out, or the account is disabled. */
export async function readSession(token: string): Promise<{ user: SessionUser; expires: Date } | undefined> {
  const [row] = await prisma.$queryRaw<(SessionUser & { expires: Date })[]>(Prisma.sql`
    SELECT ${USER_COLUMNS}, s.expires FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.session_token = ${hashToken(token)} AND s.expires > now() AND u.disabled_at IS NULL`);
  if (!row) return undefined;
  const { expires, ...user } = row;
  return { user, expires };
}

/**
 * Moves the end on, at most once a day; answers the new end when the cookie has to be sent again. For answers that can
 * send it: a page cannot, and moving the end on there would leave the browser with the old one for good.
 */
export async function slideSession(token: string, expires: Date, now = new Date()): Promise<Date | undefined> {
  const next = new Date(now.getTime() + SESSION_DAYS * DAY_MS);
  if (next.getTime() - expires.getTime() < DAY_MS) return undefined;
  // Guarded by the end that was read: of many requests at once one writes.
  await prisma.session.updateMany({ where: { sessionToken: hashToken(token), expires }, data: { expires: next } });
  return next;
}
