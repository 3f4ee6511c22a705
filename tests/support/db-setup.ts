import { prisma } from "@/lib/db/prisma";

// Every suite has a client of its own; one left connected keeps jest from ending.
afterAll(() => prisma.$disconnect());
