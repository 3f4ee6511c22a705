import "server-only";
import type { z } from "zod";
import { type Actor, actorOfCall } from "@/lib/auth/actor";
import { keyedCall, keyOfField, keyOfHeader } from "@/lib/idempotency/key";
import { type BegunCall, beginPaidCall, type KeptForm } from "@/lib/idempotency/paid-call";
import { KEY_FIELD, KEY_HEADER } from "@/lib/utils/idempotency-key";

/**
 * `creation`: the verb notes the key with what it makes (createOnce). `paid`: it costs money at the provider; the key is
 * noted before, and the answer is kept.
 */
export type Idempotent = "creation" | "paid";

/** The member of an answer that is kept by its id, or its ids, and how it is read again: as it is then. */
export type KeptById = { member: string } & (
  | { one: (actor: Actor, id: string) => Promise<unknown> }
  | { all: (actor: Actor, ids: string[]) => Promise<unknown> }
);

type Spec = { idempotent?: Idempotent; keptById?: KeptById; reply?: z.ZodType };
type Context = { actor: Actor | undefined; request: Request; query: unknown; body: unknown };

/** The context as the verb gets it, and what runs the verb: once for each Idempotency-Key, where the route takes one. */
export async function keyedContext<C extends Context>(
  spec: Spec,
  context: C,
): Promise<{ context: C; once: BegunCall }> {
  const { actor, request, query, body } = context;
  const header = spec.idempotent && request.headers.get(KEY_HEADER);
  if (!actor || typeof header !== "string") return { context, once: (work) => work() };
  const path = new URL(request.url).pathname;
  const call = keyedCall(keyOfHeader(header), { method: request.method, path, query, body });
  if (spec.idempotent === "creation") {
    return { context: { ...context, actor: actorOfCall(actor, call) }, once: (work) => work() };
  }
  return { context, once: await beginPaidCall({ userId: actor.userId, call }, keptForm(spec, actor)) };
}

/** For a form that creates: the actor with the key that its hidden field holds, if it has one. */
export function keyedActor(actor: Actor, path: string, input: unknown, body: unknown): Actor {
  const field = (input as { [KEY_FIELD]?: unknown })[KEY_FIELD];
  if (field === undefined) return actor;
  return actorOfCall(actor, keyedCall(keyOfField(field), { method: "POST", path, body }));
}

/** How an answer is kept: as the caller gets it, but for what is kept by its id. */
function keptForm({ reply, keptById }: Spec, actor: Actor): KeptForm {
  const answered = (result: unknown) => JSON.parse(JSON.stringify(reply?.parse(result))) as Record<string, unknown>;
  if (!keptById) return { of: answered, read: async (kept) => kept };
  const { member } = keptById;
  return {
    of: (result) => {
      const answer = answered(result);
      const made = answer[member];
      return { ...answer, [member]: Array.isArray(made) ? made.map(idOf) : idOf(made) };
    },
    read: async (kept) => {
      const answer = kept as Record<string, unknown>;
      const made = answer[member];
      const read = "all" in keptById ? keptById.all(actor, made as string[]) : keptById.one(actor, made as string);
      return { ...answer, [member]: await read };
    },
  };
}

function idOf(made: unknown): string {
  return (made as { id: string }).id;
}
