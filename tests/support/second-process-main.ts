import { createInterface } from "node:readline";
import { type Call, callAll } from "@/tests/support/second-process";

/** Reads one list of calls per line and prints their outcomes; exits with its input. */
async function main(): Promise<void> {
  process.stdout.write("ready\n");
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await callAll(JSON.parse(line) as Call[]))}\n`);
  }
  const { prisma } = await import("@/lib/db/prisma");
  await prisma.$disconnect();
}

main();
