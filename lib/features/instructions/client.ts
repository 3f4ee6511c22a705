import { queryOptions, useMutation } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import { removeById } from "@/lib/client/list-edits";
import { edit } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError, toastUnlessFieldError } from "@/lib/client/toast";
import { useOptimisticMutation } from "@/lib/client/use-optimistic-mutation";
import type { InstructionInput, InstructionOut } from "@/lib/features/instructions/schema";

/** All saved instructions, newest first. */
export function instructionsQuery() {
  return queryOptions({
    queryKey: keys.instructions(),
    queryFn: () => api<InstructionOut[]>("GET", "/api/instructions"),
  });
}

export function useCreateInstruction() {
  const subject = "new instruction";
  return useMutation({
    mutationFn: (input: InstructionInput) => api<InstructionOut>("POST", "/api/instructions", input),
    onSuccess: () => toast({ title: "Success", description: "Instruction saved", subject }),
    onError: (error) => toastError(error, { fallback: "The instruction was not saved. Please try again.", subject }),
  });
}

export function useUpdateInstruction({ id }: { id: number }) {
  const subject = `instruction:${id}`;
  return useMutation({
    mutationFn: (input: InstructionInput) => api<InstructionOut>("PATCH", `/api/instructions/${id}`, input),
    onSuccess: () => toast({ title: "Success", description: "Instruction changed", subject }),
    onError: (error) =>
      toastUnlessFieldError(error, { fallback: "The instruction was not changed. Please try again.", subject }),
  });
}

export function useDeleteInstruction() {
  return useOptimisticMutation({
    mutationFn: (id: number) => api<void>("DELETE", `/api/instructions/${id}`),
    edits: (id) => [edit<InstructionOut[]>(keys.instructions(), removeById(id))],
    success: "Instruction deleted",
    failure: "The instruction was not deleted. Please try again.",
    subject: (id) => `instruction:${id}`,
  });
}
