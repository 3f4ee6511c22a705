import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/db/generated/client";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";

export { Prisma } from "@/lib/db/generated/client";

/** No answer and no session has these columns of a user. */
export const USER_SECRETS = { password: true, openaiApiKey: true, wordpressPassword: true } as const;

function createPrisma() {
  return new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    // Secrets and internal columns are read only when named.
    omit: {
      user: USER_SECRETS,
      contentPiece: { searchText: true },
      keyword: { keywordKey: true },
      savedInstruction: { textKey: true },
    },
  });
}

const globals = globalThis as unknown as { prisma?: ReturnType<typeof createPrisma> };

/** Survives hot reloads in development. */
export const prisma = globals.prisma ?? createPrisma();
if (env.NODE_ENV === "development") globals.prisma = prisma;

/** A transaction's client, or `prisma` itself. */
export type Db = Pick<typeof prisma, "$queryRaw" | "$executeRaw"> & Omit<typeof prisma, `$${string}`>;
