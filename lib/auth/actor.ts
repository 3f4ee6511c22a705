import "server-only";
import { headers } from "next/headers";
import { cache } from "react";
import { cookieValues } from "@/lib/auth/cookies";
import { DEVICE_COOKIE } from "@/lib/auth/device-cookie";
import { readSession, type SessionUser, sessionTokenFrom } from "@/lib/auth/sessions";
import { userAgentOf } from "@/lib/auth/user-agent";
import { AppError } from "@/lib/errors";
import { clientAddress } from "@/lib/limits/address";

declare const brand: unique symbol;

/** Who is calling, for the log, the audit trail and the list of sessions. */
export type RequestContext = {
  requestId: string;
  address: string;
  /** Absent when the client sends none. */
  userAgent?: string;
  /** The device cookies as they came; never logged or stored. */
  devices?: string[];
};

/** A call that may be repeated: its Idempotency-Key and a hash of its input. */
export type KeyedCall = { key: string; hash: string };

/** Who acts. Created only here, from a session or a queue row. */
export type Actor = {
  readonly userId: string;
  readonly context: RequestContext;
  /** The account as read with the session; absent for background work. */
  readonly user?: SessionUser;
  /** Set for a creation with an Idempotency-Key; see lib/idempotency/creation.ts. */
  readonly call?: KeyedCall;
  readonly [brand]: true;
};

function createActor(userId: string, context: RequestContext, user?: SessionUser): Actor {
  return { userId, context, ...(user ? { user } : {}) } as Actor;
}

export function actorWithCall(actor: Actor, call: KeyedCall): Actor {
  return { ...actor, call };
}

/** Returns the actor with the session's expiry. */
export async function actorFromToken(
  token: string | undefined,
  context: RequestContext,
): Promise<{ actor: Actor; expires: Date } | undefined> {
  if (!token) return undefined;
  const session = await readSession(token);
  if (!session) return undefined;
  return { actor: createActor(session.user.id, context, session.user), expires: session.expires };
}

/** The actor right after authentication, before the session's cookie has come back. */
export function actorFromSignIn(userId: string, context: RequestContext): Actor {
  return createActor(userId, context);
}

/** The address of jobs: nobody calls. */
export const BACKGROUND = "background";

/** The actor of background work: the row decides who acts, never the event. */
export function actorFromQueueRow(row: { userId: string; id: string }): Actor {
  return createActor(row.userId, { requestId: `queue-${row.id}`, address: BACKGROUND });
}

/** A client may choose its request id as long as it is safe in a log. */
export function requestContextOf(head: Headers): RequestContext {
  const given = head.get("x-request-id") ?? "";
  const requestId = /^[\w-]{1,64}$/.test(given) ? given : crypto.randomUUID();
  const userAgent = userAgentOf(head.get("user-agent"));
  const devices = cookieValues(head.get("cookie"), DEVICE_COOKIE);
  return {
    requestId,
    address: clientAddress(head),
    ...(userAgent ? { userAgent } : {}),
    ...(devices.length > 0 ? { devices } : {}),
  };
}

/** The context of the page or action being served. */
export async function currentRequestContext(): Promise<RequestContext> {
  return requestContextOf(await headers());
}

/** The session token of the page or action being served. Throws UNAUTHENTICATED for two different tokens. */
export async function currentSessionToken(): Promise<string | undefined> {
  return sessionTokenFrom(await headers());
}

/** The actor of a page or action, if any; looked up once per request. */
export const optionalActor = cache(async function optionalActor(): Promise<Actor | undefined> {
  const token = await currentSessionToken().catch(anonymously);
  return (await actorFromToken(token, await currentRequestContext()))?.actor;
});

/** A rejected cookie signs nobody in; what Next throws while rendering must pass. */
function anonymously(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

/** The actor of a page: anonymous visitors go to /auth and return afterwards. */
export async function pageActor(): Promise<Actor> {
  const actor = await optionalActor();
  if (actor) return actor;
  const path = (await headers()).get("x-path");
  // We import it only here: outside a page (scripts, jobs) next/navigation finds no React.
  const { redirect } = await import("next/navigation");
  return redirect(path && path !== "/" ? `/auth?next=${encodeURIComponent(path)}` : "/auth");
}
