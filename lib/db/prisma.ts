import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/db/generated/client";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";

export { Prisma } from "@/lib/db/generated/client";

function createPrisma() {
  return new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    // What must never travel by accident is fetched only by name.
    omit: {
      user: { password: true, openaiApiKey: true, wordpressPassword: true },
      contentPiece: { searchText: true },
      keyword: { keywordKey: true },
    },
  });
}

const globals = globalThis as unknown as { prisma?: ReturnType<typeof createPrisma> };

/** The one database client; kept over hot reloads in development. */
export const prisma = globals.prisma ?? createPrisma();
if (env.NODE_ENV === "development") globals.prisma = prisma;

/** What a verb inside a transaction writes with. */
export type Db = Pick<typeof prisma, "$queryRaw" | "$executeRaw"> & Omit<typeof prisma, `$${string}`>;
