import "server-only";
import { auditIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { deleteOtherSessions } from "@/lib/auth/sessions";
import { transaction } from "@/lib/db/transaction";

export async function endOtherSessions(actor: Actor, token: string | undefined): Promise<void> {
  const { userId, context } = actor;
  await transaction(async (db) => {
    const count = await deleteOtherSessions(userId, token, db);
    if (count > 0) await auditIn(db, { userId, context, action: "session.others_ended", detail: { count } });
  });
}
