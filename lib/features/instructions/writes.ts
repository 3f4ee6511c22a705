import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isUniqueViolation } from "@/lib/db/errors";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { instructionNotFound, ownedInstruction } from "@/lib/features/instructions/reads";
import { MAX_INSTRUCTIONS } from "@/lib/features/instructions/rules";
import type { InstructionInput } from "@/lib/features/instructions/schema";
import { insertInstruction } from "@/lib/features/instructions/sql";
import { createOnce } from "@/lib/idempotency/creation";
import { noteDeletion, rowBytes, store, storing } from "@/lib/limits/storage-quota";

export async function createInstruction(actor: Actor, { text }: InstructionInput) {
  const { userId } = actor;
  const made = createOnce(actor, async (db) => {
    // Locks the user's count, so that creations come one after the other.
    await store(db, userId, rowBytes(text));
    return insertInstruction(db, userId, text);
  });
  const id = await made.catch(duplicateInstruction);
  if (id) return ownedInstruction(actor, id);
  throw new AppError("VALIDATION_ERROR", {
    message: `You have ${MAX_INSTRUCTIONS} saved instructions, the maximum. Delete one you no longer need first.`,
  });
}

export async function updateInstruction(actor: Actor, id: number, { text }: InstructionInput) {
  const { userId } = actor;
  const changed = storing(userId, rowBytes(text), (db) =>
    db.savedInstruction.updateMany({ where: { id, userId }, data: { text } }),
  );
  await changed.catch(duplicateInstruction);
  return ownedInstruction(actor, id);
}

export async function deleteInstruction({ userId }: Actor, id: number): Promise<void> {
  const { count } = await prisma.savedInstruction.deleteMany({ where: { id, userId } });
  if (count === 0) throw instructionNotFound();
  await noteDeletion(userId);
}

function duplicateInstruction(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const sentence = "You have saved this instruction already.";
  throw new AppError("DUPLICATE", { message: sentence, fields: { text: [sentence] } });
}
