import "server-only";
import { z } from "zod";
import { type Actor, actorWithCall } from "@/lib/auth/actor";
import { KEY_FIELD, KEY_HEADER } from "@/lib/idempotency/header";
import { keyedCall, parseKeyField, parseKeyHeader } from "@/lib/idempotency/key";
import { type PaidCall, type ResultCodec, startPaidCall } from "@/lib/idempotency/paid-call";
import type { BrowserFacts } from "@/lib/transport/paths";
import { isoDate } from "@/lib/utils/zod";

/** A response member that is stored as its id, or ids, and read again on replay in its current state. */
export type StoredById = { member: string } & (
  | { one: (actor: Actor, id: string) => Promise<unknown> }
  | { all: (actor: Actor, ids: string[]) => Promise<unknown> }
);

type Spec = Pick<BrowserFacts, "idempotent"> & { storedById?: StoredById; reply?: z.ZodType };
type Args = { actor: Actor | undefined; request: Request; query: unknown; body: unknown };

/** The verb's arguments, and what runs it: once per Idempotency-Key, where the route takes one. */
export async function withIdempotencyKey<A extends Args>(spec: Spec, args: A): Promise<{ args: A; once: PaidCall }> {
  const { actor, request, query, body } = args;
  const header = spec.idempotent && request.headers.get(KEY_HEADER);
  if (!actor || typeof header !== "string") return { args, once: (work) => work() };
  const path = new URL(request.url).pathname;
  const call = keyedCall(parseKeyHeader(header), { method: request.method, path, query, body });
  if (spec.idempotent === "creation") {
    return { args: { ...args, actor: actorWithCall(actor, call) }, once: (work) => work() };
  }
  return { args, once: await startPaidCall({ userId: actor.userId, call }, keptForm(spec, actor)) };
}

/** The actor of a creation form, with the key from the hidden field, if any. */
export function actorWithIdempotencyKey(actor: Actor, path: string, input: unknown, body: unknown): Actor {
  const field = (input as { [KEY_FIELD]?: unknown })[KEY_FIELD];
  if (field === undefined) return actor;
  return actorWithCall(actor, keyedCall(parseKeyField(field), { method: "POST", path, body }));
}

/** What a paid call answers: an earlier answer to the same key says when it was made. */
export function withReplay(
  reply: z.ZodType | undefined,
  { idempotent }: Pick<Spec, "idempotent">,
): z.ZodType | undefined {
  return idempotent === "paid" && reply instanceof z.ZodObject
    ? reply.extend({ alreadyDoneAt: isoDate.optional() })
    : reply;
}

/** Responses are stored as sent, except members stored by id. */
function keptForm({ reply, storedById }: Spec, actor: Actor): ResultCodec {
  const serialise = (result: unknown) => JSON.parse(JSON.stringify(reply?.parse(result))) as Record<string, unknown>;
  if (!storedById) return { encode: serialise, decode: async (kept) => kept as object };
  const { member } = storedById;
  return {
    encode: (result) => {
      const answer = serialise(result);
      const made = answer[member];
      return { ...answer, [member]: Array.isArray(made) ? made.map(idOf) : idOf(made) };
    },
    decode: async (kept) => {
      const answer = kept as Record<string, unknown>;
      const made = answer[member];
      const read =
        "all" in storedById ? storedById.all(actor, made as string[]) : storedById.one(actor, made as string);
      return { ...answer, [member]: await read };
    },
  };
}

function idOf(made: unknown): string {
  return (made as { id: string }).id;
}
