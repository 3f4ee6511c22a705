import "server-only";
import { Prisma, prisma } from "@/lib/db/prisma";
import { type SealedAccess, sealedAccessSql } from "@/lib/features/account/settings/sql/shared";

export async function selectAccess(userId: string): Promise<SealedAccess | undefined> {
  const [row] = await prisma.$queryRaw<SealedAccess[]>(sealedAccessSql(Prisma.sql`${userId}::uuid`));
  return row;
}
