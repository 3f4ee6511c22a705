// Every suite has a client of its own; one left connected keeps jest from ending. A suite with a browser's globals has none.
afterAll(async () => {
  if (typeof window !== "undefined") return;
  const { prisma } = await import("@/lib/db/prisma");
  await prisma.$disconnect();
});

export {};
