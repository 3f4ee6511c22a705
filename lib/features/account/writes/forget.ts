import "server-only";
import { forgetUnknown } from "@/lib/audit/audit";
import { Prisma, prisma } from "@/lib/db/prisma";
import { forgetKeys } from "@/lib/idempotency/sql";

/**
 * Forgets sessions and links of password resets that ran out more than a day ago: nothing reads them any more. A used link
 * runs out like any other. So do failed sign-ins under names that nobody has, after 30 days, and Idempotency-Keys. Called by the
 * scheduled sweep.
 */
export async function forgetEnded(): Promise<void> {
  await prisma.$executeRaw(Prisma.sql`DELETE FROM sessions WHERE expires < now() - interval '1 day'`);
  await prisma.$executeRaw(Prisma.sql`DELETE FROM password_resets WHERE expires < now() - interval '1 day'`);
  await forgetUnknown();
  await forgetKeys();
}
