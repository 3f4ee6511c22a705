import "server-only";
import { cookies } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import {
  type Actor,
  currentRequestContext,
  currentSessionToken,
  optionalActor,
  type RequestContext,
} from "@/lib/auth/actor";
import { DEVICE_COOKIE, deviceCookieOptions } from "@/lib/auth/device-cookie";
import { SESSION_COOKIE, sessionCookieOptions } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors";
import { actorWithIdempotencyKey } from "@/lib/transport/idempotency";
import { type Failure, failureBody, Reply, toAppError, validationError } from "@/lib/transport/reply";
import { endReplacedSession } from "@/lib/transport/session";

/** Server actions never throw: a thrown error loses its message on the way to the browser. */
export type ActionResult<T> = { ok: true; data: T } | { ok: false; error: Failure & { status: number } };

/** A verb as a form action for a signed-in user. */
export function action<S extends z.ZodType, O extends z.ZodType>(
  schema: S,
  reply: O,
  verb: (actor: Actor, input: z.output<S>) => Promise<unknown>,
): (input: unknown) => Promise<ActionResult<z.output<O>>> {
  return publicAction(schema, reply, (input, _origin, actor) => {
    if (!actor) throw new AppError("UNAUTHENTICATED");
    return verb(actor, input);
  });
}

/**
 * An action for a creation whose form holds an Idempotency-Key in a hidden field. `path` is that of the matching route, so
 * that both count as one call.
 */
export function creationAction<S extends z.ZodType, O extends z.ZodType>(
  path: string,
  schema: S,
  reply: O,
  verb: (actor: Actor, input: z.output<S>) => Promise<unknown>,
): (input: unknown) => Promise<ActionResult<z.output<O>>> {
  return (input) => {
    const creation = (actor: Actor, parsed: z.output<S>) =>
      verb(actorWithIdempotencyKey(actor, path, input, parsed), parsed);
    return action(schema, reply, creation)(input);
  };
}

/** An action for forms that anyone may send: sign-in and registration. */
export function publicAction<S extends z.ZodType, O extends z.ZodType>(
  schema: S,
  reply: O,
  verb: (input: z.output<S>, context: RequestContext, actor: Actor | undefined) => Promise<unknown>,
): (input: unknown) => Promise<ActionResult<z.output<O>>> {
  return async (input) => {
    const context = await currentRequestContext();
    try {
      const token = await currentSessionToken();
      const actor = await optionalActor();
      const parsed = schema.safeParse(input);
      if (!parsed.success) throw validationError(parsed.error);
      const result = await verb(parsed.data, context, actor);
      await endReplacedSession(result, token);
      const { data, options } = result instanceof Reply ? result : new Reply(result);
      await writeCookies(options);
      return { ok: true, data: reply.parse(data) };
    } catch (error) {
      unstable_rethrow(error);
      const failed = toAppError(error, context.requestId);
      return { ok: false, error: { ...failureBody(failed, context.requestId), status: failed.status } };
    }
  };
}

async function writeCookies({ session, device }: Reply<unknown>["options"]): Promise<void> {
  if (!session && !device) return;
  const jar = await cookies();
  if (session === "ended") jar.set(SESSION_COOKIE, "", { ...sessionCookieOptions, maxAge: 0 });
  else if (session) jar.set(SESSION_COOKIE, session.token, { ...sessionCookieOptions, expires: session.expires });
  if (device) jar.set(DEVICE_COOKIE, device, deviceCookieOptions);
}
