import "server-only";
import { cookies } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { type Actor, type Origin, optionalActor, requestOrigin, requestToken } from "@/lib/auth/actor";
import { DEVICE_COOKIE, deviceCookieOptions } from "@/lib/auth/device-cookie";
import { SESSION_COOKIE, sessionCookieOptions } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors";
import { keyedActor } from "@/lib/transport/keyed";
import { type Failure, failureOf, Reply, toAppError, validationError } from "@/lib/transport/reply";
import { endReplaced } from "@/lib/transport/session";

/** What a server action answers: never a thrown error, which would lose its sentence on the way to the browser. */
export type ActionResult<T> = { ok: true; data: T } | { ok: false; error: Failure & { status: number } };

/** A form of a signed-in person over a verb: who, parse, call, answer. */
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
 * The same over a creation, whose form has an Idempotency-Key in a hidden field; `path` is that of the route which makes the
 * same, so that both are one call.
 */
export function creationAction<S extends z.ZodType, O extends z.ZodType>(
  path: string,
  schema: S,
  reply: O,
  verb: (actor: Actor, input: z.output<S>) => Promise<unknown>,
): (input: unknown) => Promise<ActionResult<z.output<O>>> {
  return (input) => {
    const creation = (actor: Actor, parsed: z.output<S>) => verb(keyedActor(actor, path, input, parsed), parsed);
    return action(schema, reply, creation)(input);
  };
}

/** A form anybody may send: sign-in and registration. */
export function publicAction<S extends z.ZodType, O extends z.ZodType>(
  schema: S,
  reply: O,
  verb: (input: z.output<S>, origin: Origin, actor: Actor | undefined) => Promise<unknown>,
): (input: unknown) => Promise<ActionResult<z.output<O>>> {
  return async (input) => {
    const origin = await requestOrigin();
    try {
      const token = await requestToken();
      const actor = await optionalActor();
      const parsed = schema.safeParse(input);
      if (!parsed.success) throw validationError(parsed.error);
      const result = await verb(parsed.data, origin, actor);
      await endReplaced(result, token);
      const { data, options } = result instanceof Reply ? result : new Reply(result);
      await writeCookies(options);
      return { ok: true, data: reply.parse(data) };
    } catch (error) {
      unstable_rethrow(error);
      const failed = toAppError(error, origin.requestId);
      return { ok: false, error: { ...failureOf(failed, origin.requestId), status: failed.status } };
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
