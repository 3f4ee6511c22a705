import "server-only";
import { headers } from "next/headers";
import { cache } from "react";
import { userAgentOf } from "@/lib/auth/device";
import { DEVICE_COOKIE } from "@/lib/auth/device-cookie";
import { readSession, type SessionUser, sessionTokenOf } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors";
import { clientAddress } from "@/lib/limits/address";
import { cookieValues } from "@/lib/utils/cookies";

declare const brand: unique symbol;

/** Where a request came from: for the log, the audit trail and the list of sessions. */
export type Origin = {
  requestId: string;
  address: string;
  /** What the browser calls itself; absent when it does not say. */
  userAgent?: string;
  /** The device cookies it brought, as they came: never logged or stored. */
  devices?: string[];
};

/** A call that may come twice: its Idempotency-Key, and a hash of what it asks for. */
export type KeyedCall = { key: string; hash: string };

/** Who acts. Made only here: from a session, or from a row of the queue. */
export type Actor = {
  readonly userId: string;
  readonly origin: Origin;
  /** The account as the session's statement read it; absent for background work. */
  readonly user?: SessionUser;
  /** Set where a creation is asked for with a key; see lib/idempotency/creation.ts. */
  readonly call?: KeyedCall;
  readonly [brand]: true;
};

function actorOf(userId: string, origin: Origin, user?: SessionUser): Actor {
  return { userId, origin, ...(user ? { user } : {}) } as Actor;
}

/** The same person, asking for what this call makes. */
export function actorOfCall(actor: Actor, call: KeyedCall): Actor {
  return { ...actor, call };
}

/** The actor of a session token, and when the session ends. */
export async function actorOfToken(
  token: string | undefined,
  origin: Origin,
): Promise<{ actor: Actor; expires: Date } | undefined> {
  if (!token) return undefined;
  const session = await readSession(token);
  if (!session) return undefined;
  return { actor: actorOf(session.user.id, origin, session.user), expires: session.expires };
}

/** The actor of someone who has just proved who they are, before their session's cookie has come back. */
export function actorOfSignIn(userId: string, origin: Origin): Actor {
  return actorOf(userId, origin);
}

/** The actor of background work: whose queue row it is, never what an event says. */
export function actorOfQueueRow(row: { userId: string; id: string }): Actor {
  return actorOf(row.userId, { requestId: `queue-${row.id}`, address: "background" });
}

/** Request id, client address, browser and device cookies; an id is taken from a caller only if it is harmless in a log. */
export function originOf(head: Headers): Origin {
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

/** The origin of the page or action being served. */
export async function requestOrigin(): Promise<Origin> {
  return originOf(await headers());
}

/** The session's token that came with the page or action being served. Throws UNAUTHENTICATED for two different ones. */
export async function requestToken(): Promise<string | undefined> {
  return sessionTokenOf(await headers());
}

/** For pages and actions: the signed-in person, or nobody. One look-up a request, however often it is asked. */
export const optionalActor = cache(async function optionalActor(): Promise<Actor | undefined> {
  const token = await requestToken().catch(asNobody);
  return (await actorOfToken(token, await requestOrigin()))?.actor;
});

/** A cookie that is refused is nobody's; what Next throws while it renders is not ours to catch. */
function asNobody(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

/** For pages: an anonymous visitor goes to /auth and comes back to `next` afterwards. */
export async function pageActor(): Promise<Actor> {
  const actor = await optionalActor();
  if (actor) return actor;
  const path = (await headers()).get("x-path");
  // Loaded here alone: outside of a page (scripts, jobs) next/navigation has no React to stand on.
  const { redirect } = await import("next/navigation");
  return redirect(path && path !== "/" ? `/auth?next=${encodeURIComponent(path)}` : "/auth");
}
