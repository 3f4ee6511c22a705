import "server-only";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { refuseOtherCall, stillAtWork } from "@/lib/idempotency/refusals";
import { holdKey, noteKey, readKey } from "@/lib/idempotency/sql";
import { withinRoom } from "@/lib/limits/usage";

/**
 * Makes something in one transaction and answers what `make` does: its id, or a number. With an Idempotency-Key that is noted
 * in the same transaction, and the second time the first answer comes back: the caller reads by its id what was made.
 * Undefined: nothing was made, and the key stays free. Throws ALREADY_RUNNING, KEY_REUSED and what `withinRoom` does.
 */
export function createOnce<Made extends string | number | undefined>(
  { userId, call }: Actor,
  make: (db: Db) => Promise<Made>,
): Promise<Made> {
  return withinRoom(() =>
    transaction(async (db) => {
      if (!call) return make(db);
      const caller = { userId, call };
      if (!(await holdKey(db, caller))) throw stillAtWork();
      const known = await readKey(db, caller);
      refuseOtherCall(known, call.hash);
      if (known?.kept) return JSON.parse(known.kept) as Made;
      const made = await make(db);
      if (made === undefined) return made;
      // Known after all: a paid call came with it meanwhile, and that is another call.
      if (!(await noteKey(db, caller, JSON.stringify(made)))) throw new AppError("KEY_REUSED");
      return made;
    }),
  );
}
