import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/db/generated/client";
import { impatientSocket } from "@/lib/db/impatient-socket";
import { env } from "@/lib/env";

export { Prisma } from "@/lib/db/generated/client";

/** Connections of one process; behind a pooler this is still kind to the database. */
const MAX_CONNECTIONS = 10;
/** A database that is away is told to the person after this long, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

function createPrisma() {
  return new PrismaClient({
    adapter: new PrismaPg({
      connectionString: env.DATABASE_URL ?? "",
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      stream: () => impatientSocket(),
    }),
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
