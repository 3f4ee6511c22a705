import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import type { DeleteAccountInput } from "@/lib/features/account/own-data/schema";
import { readAccount } from "@/lib/features/account/reads";
import { CONFIRM_DELETION } from "@/lib/features/account/rules";
import { reauthenticate } from "@/lib/features/account/writes";
import { lockLiveItems } from "@/lib/features/work/sql/shared";
import { log } from "@/lib/log";

/**
 * Deletes the account and its data. Running work ends by itself; posts on the user's site stay. Needs the password
 * and the username typed by hand.
 */
export async function deleteAccount(
  actor: Actor,
  token: string | undefined,
  { confirm, password }: DeleteAccountInput,
): Promise<void> {
  const { username } = await readAccount(actor);
  if (confirm !== username) {
    throw new AppError("VALIDATION_ERROR", { message: CONFIRM_DELETION, fields: { confirm: [CONFIRM_DELETION] } });
  }
  const proved = await reauthenticate(actor, token, password, "password");
  const mine = { id: actor.userId, password: proved };
  // Waits for items being finished and locks the rest: the queue locks an item before its piece, the deletion after.
  const { count } = await transaction(async (db) => {
    await lockLiveItems(db, actor.userId);
    return db.user.deleteMany({ where: mine });
  });
  if (count === 0) throw new AppError("UNAUTHENTICATED");
  // The audit trail is deleted too, so only the log records this.
  log.info({ userId: actor.userId, requestId: actor.context.requestId }, "account deleted");
}
