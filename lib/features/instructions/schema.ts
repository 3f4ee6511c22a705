import { z } from "zod";
import { SAVED_INSTRUCTION_MAX } from "@/lib/features/instructions/rules";
import { isoDate, text } from "@/lib/utils/zod";

export const instructionInput = z.object({ text: text(SAVED_INSTRUCTION_MAX, 1) });

export const instructionOut = z
  .object({ id: z.number().int(), text: z.string(), createdAt: isoDate })
  .meta({ id: "Instruction" });

export type InstructionInput = z.infer<typeof instructionInput>;
export type InstructionOut = z.infer<typeof instructionOut>;
