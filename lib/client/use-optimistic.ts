"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { referenceOf } from "@/lib/client/api";
import { type Change, showAtOnce } from "@/lib/client/optimistic";
import { toast, toastError } from "@/lib/client/toast";

/**
 * A write that shows before the server has answered. Done, it is told, and `keep` puts the answer where it is shown whole;
 * refused, its changes are taken back with a sentence, and `keepText` keeps what the person typed. All of it also when the line that asked is
 * gone from the screen by then: only callbacks of `mutate` itself would be lost with it.
 */
export function useOptimistic<Input, Answer>({
  call,
  changes,
  done,
  keep,
  failed,
  subject,
  keepText,
}: {
  call: (input: Input) => Promise<Answer>;
  changes: (input: Input) => Change[];
  done: string | ((answer: Answer) => string);
  keep?: (answer: Answer) => void;
  /** For answers without a sentence of ours; a function's sentence stands whatever the answer says. */
  failed: string | ((error: Error) => string);
  /** What the outcome is about: a newer one takes its place (lib/client/toast.ts). */
  subject: (input: Input) => string;
  keepText?: (input: Input) => void;
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onMutate: (input) => showAtOnce(client, changes(input)),
    onSuccess: (answer, input, shown) => {
      shown.keep();
      const description = typeof done === "string" ? done : done(answer);
      toast({ title: "Success", description, subject: subject(input) });
      keep?.(answer);
    },
    onError: (error, input, shown) => {
      shown?.takeBack();
      keepText?.(input);
      const about = { subject: subject(input) };
      if (typeof failed === "string") return toastError(error, { fallback: failed, ...about });
      const description = failed(error);
      toast({ title: "Error", description, variant: "destructive", reference: referenceOf(error), ...about });
    },
  });
}
