import "server-only";
import { randomUUID } from "node:crypto";
import type { KeyedCall } from "@/lib/auth/actor";
import { type Db, Prisma, prisma } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { refuseOtherCall, stillAtWork } from "@/lib/idempotency/refusals";
import { freeKey, keepOutcome, noteKey, readKey } from "@/lib/idempotency/sql";
import { acquire, fence, type Lease, release, renew } from "@/lib/lease/lease";
import { log } from "@/lib/log";

type Caller = { userId: string; call: KeyedCall };

/** A call that is begun: it does its work, or answers what was kept of it. */
export type BegunCall = (work: () => Promise<unknown>) => Promise<unknown>;

/** What is kept of an answer, and how the answer is made of it again. */
export type KeptForm = { of: (answer: unknown) => unknown; read: (kept: unknown) => Promise<unknown> };

/** A third of the lease. */
const RENEW_MS = 20_000;
/** Bytes of JSON that are kept of an answer. */
const MAX_KEPT = 65_536;

/**
 * Begins a paid call with an Idempotency-Key: the key is noted before anybody is paid, and held by a lease while the call is
 * at work. A call whose process died is done again once its lease has run out. Throws ALREADY_RUNNING and KEY_REUSED.
 */
export async function beginPaidCall(caller: Caller, form: KeptForm): Promise<BegunCall> {
  const { userId, call } = caller;
  const lease: Lease = { kind: "call", subject: `${userId} ${call.key}`, token: randomUUID() };
  const owned = Prisma.sql`SELECT ${lease.subject}, ${userId}::uuid, NULL::uuid, NULL::uuid`;
  if (!(await acquire("call", owned, lease.token))) {
    refuseOtherCall(await readKey(prisma, caller), call.hash);
    throw stillAtWork();
  }
  try {
    const known = (await noteKey(prisma, caller, null)) ? undefined : await readKey(prisma, caller);
    refuseOtherCall(known, call.hash);
    if (!known?.kept) return (work) => workUnder(lease, caller, form, work);
    await release(lease);
    return () => form.read(answerOf(known.kept ?? ""));
  } catch (error) {
    await release(lease);
    throw error;
  }
}

/** A failure frees the key; what was taken over meanwhile is the other's to keep or to free. */
async function workUnder(lease: Lease, caller: Caller, form: KeptForm, work: () => Promise<unknown>) {
  const renewing = setInterval(() => void renew(lease).catch(() => undefined), RENEW_MS).unref();
  try {
    const answer = await work();
    // It is paid for and done: a key that cannot be kept must not turn it into a failure.
    await end(lease, (db) => keepOutcome(db, caller, keptOf(form.of(answer)))).catch((error: unknown) =>
      log.warn({ err: error }, "the answer to a paid call was not kept"),
    );
    return answer;
  } catch (error) {
    await end(lease, (db) => freeKey(db, caller)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

async function end(lease: Lease, write: (db: Db) => Promise<void>): Promise<void> {
  await transaction(async (db) => {
    if (!(await fence(db, lease))) return;
    await write(db);
    await release(lease, db);
  });
}

function keptOf(answer: unknown): string {
  const kept = JSON.stringify({ answer });
  return Buffer.byteLength(kept) <= MAX_KEPT ? kept : "{}";
}

function answerOf(kept: string): unknown {
  const parsed = JSON.parse(kept) as { answer?: unknown };
  if ("answer" in parsed) return parsed.answer;
  const message =
    "This is done already, but its answer was too large to keep. Load the page again to see what it made.";
  throw new AppError("DUPLICATE", { message });
}
