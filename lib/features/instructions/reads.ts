import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";

const INSTRUCTION = { id: true, text: true, createdAt: true } as const;

/** The actor's saved instructions, newest first. */
export function listInstructions({ userId }: Actor) {
  return prisma.savedInstruction.findMany({
    where: { userId },
    select: INSTRUCTION,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

export async function ownedInstruction({ userId }: Actor, id: number) {
  const instruction = await prisma.savedInstruction.findFirst({ where: { id, userId }, select: INSTRUCTION });
  if (!instruction) throw instructionNotFound();
  return instruction;
}

export function instructionNotFound(): AppError {
  return new AppError("NOT_FOUND", { message: "This instruction was not found. It may have been deleted." });
}
