// Both afterAlls import late, because a suite may set the environment that lib/env reads once. Browser environments have no
// database.

const began = new Date();

/** The database says when users were created, and its clock may be a little behind. */
const CLOCK_TOLERANCE_MS = 1_000;

// Whatever the app stored for this suite's users, it counted.
afterAll(async () => {
  if ("document" in globalThis || !process.env.DATABASE_URL?.includes("/worker_")) return;
  const { Prisma } = await import("@/lib/db/generated/client");
  const { storedBytesSql } = await import("@/lib/limits/storage-quota");
  const { query } = await import("@/tests/support/db");
  const stored = storedBytesSql(Prisma.raw("u.id")).text;
  const uncounted = await query(
    `SELECT * FROM (SELECT u.id, coalesce(c.bytes, 0) AS counted, ${stored} AS stored
       FROM users u LEFT JOIN usage c ON c.user_id = u.id WHERE u.created_at >= $1) users WHERE counted < stored`,
    [new Date(began.getTime() - CLOCK_TOLERANCE_MS)],
  );
  expect(uncounted).toEqual([]);
});

// Disconnect each suite's client, which would keep jest alive.
afterAll(async () => {
  if ("document" in globalThis) return;
  const { prisma } = await import("@/lib/db/prisma");
  await prisma.$disconnect();
});

export {};
