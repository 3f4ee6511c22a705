"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { referenceOf } from "@/lib/client/api";
import { commitEdits, type Edit, OPTIMISTIC } from "@/lib/client/optimistic";
import { toast, toastError } from "@/lib/client/toast";

/**
 * A mutation whose edits show while it is pending (useOptimisticQuery). Everything is in the mutation's own callbacks: those
 * of `mutate` are not called when the component has unmounted.
 */
export function useOptimisticMutation<Input, Answer>({
  mutationFn,
  edits,
  success,
  onAnswer,
  failure,
  subject,
  onRejected,
}: {
  mutationFn: (input: Input) => Promise<Answer>;
  edits: (input: Input) => Edit[];
  success: string | ((answer: Answer, input: Input) => string);
  onAnswer?: (answer: Answer) => void;
  /** A string is the fallback for errors without a sentence; a function's sentence always wins. */
  failure: string | ((error: Error) => string);
  /** What the notification is about: a newer one replaces it (lib/client/toast.ts). */
  subject: (input: Input) => string;
  onRejected?: (input: Input) => void;
}) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: OPTIMISTIC,
    mutationFn,
    onMutate: edits,
    onSuccess: (answer, input, own) => {
      commitEdits(client, own);
      const description = typeof success === "string" ? success : success(answer, input);
      toast({ title: "Success", description, subject: subject(input) });
      onAnswer?.(answer);
    },
    onError: (error, input) => {
      onRejected?.(input);
      const about = { subject: subject(input) };
      if (typeof failure === "string") return toastError(error, { fallback: failure, ...about });
      const description = failure(error);
      toast({ title: "Error", description, variant: "destructive", reference: referenceOf(error), ...about });
    },
  });
}
