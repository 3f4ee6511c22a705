import "server-only";
import { randomUUID } from "node:crypto";
import type { KeyedCall } from "@/lib/auth/actor";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { assertSameCall, callInProgress } from "@/lib/idempotency/refusals";
import { deleteKey, findKey, insertKey, saveResult } from "@/lib/idempotency/sql";
import { acquire, fence, type Lease, release, renew, whileRenewing } from "@/lib/lease/lease";
import { log } from "@/lib/log";

type Caller = { userId: string; call: KeyedCall };

/** Does the work, or returns the stored result of an earlier call with the same key, with `alreadyDoneAt`. */
export type PaidCall = (work: () => Promise<unknown>) => Promise<unknown>;

/** How an answer is stored and restored. */
export type ResultCodec = { encode: (answer: unknown) => unknown; decode: (stored: unknown) => Promise<object> };

const MAX_RESULT_BYTES = 65_536;

/**
 * Starts a paid call with an Idempotency-Key, which is stored before anything is paid for and leased while the call runs. If
 * the process dies, the call can be repeated once the lease has expired. Throws ALREADY_RUNNING and KEY_REUSED.
 */
export async function startPaidCall(caller: Caller, codec: ResultCodec): Promise<PaidCall> {
  const { userId, call } = caller;
  const lease: Lease = { kind: "call", subject: `${userId} ${call.key}`, token: randomUUID() };
  const owned = Prisma.sql`SELECT ${lease.subject}, ${userId}::uuid, NULL::uuid, NULL::uuid`;
  if (!(await acquire("call", owned, lease.token))) {
    assertSameCall(await findKey(prisma, caller), call.hash);
    throw callInProgress();
  }
  try {
    const known = (await insertKey(prisma, caller, null)) ? undefined : await findKey(prisma, caller);
    assertSameCall(known, call.hash);
    if (!known?.result) return (work) => runUnderLease(lease, caller, codec, work);
    await release(lease);
    const { answer, at } = deserialize(known.result ?? "");
    return async () => ({ ...(await codec.decode(answer)), alreadyDoneAt: at });
  } catch (error) {
    await release(lease);
    throw error;
  }
}

/** A failure frees the key. Once the lease is lost, the key is the other call's. */
async function runUnderLease(lease: Lease, caller: Caller, codec: ResultCodec, work: () => Promise<unknown>) {
  try {
    const answer = await whileRenewing(() => renew(lease), work);
    // The call is paid for and done: it must not fail because its result could not be stored.
    await settle(lease, (db) => saveResult(db, caller, serialize(codec.encode(answer)))).catch((error: unknown) =>
      log.warn({ err: error }, "the result of a paid call was not stored"),
    );
    return answer;
  } catch (error) {
    await settle(lease, (db) => deleteKey(db, caller)).catch(() => undefined);
    throw error;
  }
}

async function settle(lease: Lease, write: (db: Db) => Promise<void>): Promise<void> {
  await transaction(async (db) => {
    if (!(await fence(db, lease))) return;
    await write(db);
    await release(lease, db);
  });
}

function serialize(answer: unknown): string {
  const json = JSON.stringify({ answer, at: new Date().toISOString() });
  return Buffer.byteLength(json) <= MAX_RESULT_BYTES ? json : "{}";
}

function deserialize(json: string): { answer: unknown; at?: string } {
  const parsed = JSON.parse(json) as { answer?: unknown; at?: string };
  if ("answer" in parsed) return { answer: parsed.answer, ...(parsed.at ? { at: parsed.at } : {}) };
  const message = "This was done already, but its answer was too large to store. Reload the page to see the result.";
  throw new AppError("DUPLICATE", { message });
}
