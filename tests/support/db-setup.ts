// Disconnect each suite's client, which would keep jest alive. Imported late, because a suite may set the environment
// that lib/env reads once. Browser environments have no database.
afterAll(async () => {
  if ("document" in globalThis) return;
  const { prisma } = await import("@/lib/db/prisma");
  await prisma.$disconnect();
});

export {};
