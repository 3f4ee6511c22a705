import "server-only";
import { prisma } from "@/lib/db/prisma";

/** Does Postgres answer? */
export async function databaseAnswers(): Promise<boolean> {
  try {
    await prisma.$queryRaw`SELECT 1`;
    return true;
  } catch {
    return false;
  }
}
