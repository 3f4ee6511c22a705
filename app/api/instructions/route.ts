import { listInstructions } from "@/lib/features/instructions/reads";
import { instructionInput, instructionOut } from "@/lib/features/instructions/schema";
import { createInstruction } from "@/lib/features/instructions/writes";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listInstructions",
    summary: "All saved instructions to the AI, newest first.",
    shows: { nouns: ["instruction"], failed: "Your saved instructions did not load" },
    reply: instructionOut.array(),
  },
  ({ actor }) => listInstructions(actor),
);

export const POST = route(
  {
    operationId: "createInstruction",
    summary: "Saves an instruction to the AI, to use it again.",
    changes: ["instruction"],
    body: instructionInput,
    example: { text: "Address the reader as “you”." },
    reply: instructionOut,
    status: 201,
    idempotent: "creation",
  },
  ({ actor, body }) => createInstruction(actor, body),
);
