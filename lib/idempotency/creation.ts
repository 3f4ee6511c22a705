import "server-only";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { assertSameCall, callInProgress } from "@/lib/idempotency/refusals";
import { findKey, insertKey, tryLockKey } from "@/lib/idempotency/sql";
import { withinQuota } from "@/lib/limits/storage-quota";

/**
 * Runs `make` in one transaction and returns what it returns: an id or a number. With an Idempotency-Key the result is stored
 * in the same transaction, and a repeated call returns it. Undefined: nothing was made, and the key stays free. Throws
 * ALREADY_RUNNING, KEY_REUSED, and what `withinQuota` throws.
 */
export function createOnce<Made extends string | number | undefined>(
  { userId, call }: Actor,
  make: (db: Db) => Promise<Made>,
): Promise<Made> {
  return withinQuota(userId, () =>
    transaction(async (db) => {
      if (!call) return make(db);
      const caller = { userId, call };
      if (!(await tryLockKey(db, caller))) throw callInProgress();
      const known = await findKey(db, caller);
      assertSameCall(known, call.hash);
      if (known?.result) return JSON.parse(known.result) as Made;
      const made = await make(db);
      if (made === undefined) return made;
      // A paid call has used the key meanwhile.
      if (!(await insertKey(db, caller, JSON.stringify(made)))) throw new AppError("KEY_REUSED");
      return made;
    }),
  );
}
