import { queryOptions, useMutation } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toastError } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import type { Unfinished } from "@/lib/features/generation/schema";

/** The section of a piece in which the AI provider broke off. */
export function unfinishedQuery(id: string) {
  return queryOptions({
    queryKey: keys.unfinished(id),
    queryFn: () => api<{ unfinished: Unfinished }>("GET", `/api/content/${id}/unfinished`),
    // It is offered, not needed.
    meta: { isStaleHarmless: true },
  });
}

export function useDropUnfinished(id: string) {
  return useMutation({
    mutationFn: () => api("DELETE", `/api/content/${id}/unfinished`),
    onError: (error) =>
      toastError(error, { fallback: "The unfinished section could not be dropped", subject: pieceSubject(id) }),
  });
}
