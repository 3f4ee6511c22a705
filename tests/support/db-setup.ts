// A queue's journey takes longer than jest's five seconds on a busy machine.
jest.setTimeout(30_000);

// Every suite has a client of its own; one left connected keeps jest from ending. Imported late: a suite may set the
// environment that lib/env reads once. Suites in a browser's environment have no database.
afterAll(async () => {
  if ("document" in globalThis) return;
  const { prisma } = await import("@/lib/db/prisma");
  await prisma.$disconnect();
});

export {};
