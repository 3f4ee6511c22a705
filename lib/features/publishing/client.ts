import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { keepContent, refreshContentLists } from "@/lib/features/content/client";
import type { ContentOut } from "@/lib/features/content/schema";

type Piece = { id: string; projectId: number; topicId: number };

/** One publish. `force` overwrites a post that was edited on the site since we wrote it. */
export type PublishOne = { piece: Piece; categoryId?: string; categoryName?: string; force?: boolean };

/**
 * Publishes a piece, or updates its post. A post that was edited on the site is not told here: the caller asks
 * (isRemoteChanged) and publishes again with `force`.
 */
export function usePublishContent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ piece, ...input }: PublishOne) => api<ContentOut>("POST", `/api/content/${piece.id}/publish`, input),
    onSuccess: (published) => {
      toast({ title: "Success", description: "Content published to WordPress successfully" });
      keepContent(client, published);
    },
    onError: async (error, { piece }) => {
      if (!isRemoteChanged(error)) toastError(error, { fallback: "Error publishing to WordPress" });
      await refreshPiece(client, piece);
    },
  });
}

/** Was the publish refused because the post was edited on the site? */
export function isRemoteChanged(error: unknown): boolean {
  return error instanceof ApiError && error.type === "REMOTE_CHANGED";
}

/** Makes the site's post a draft. */
export function useUnpublishContent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (piece: Piece) => api<ContentOut>("POST", `/api/content/${piece.id}/unpublish`),
    onSuccess: (unpublished) => {
      toast({ title: "Success", description: "Content unpublished from WordPress successfully" });
      keepContent(client, unpublished);
    },
    onError: async (error, piece) => {
      toastError(error, { fallback: "Error unpublishing from WordPress" });
      await refreshPiece(client, piece);
    },
  });
}

/** Reads the post's status on the site. It never copies text; the person is told when the site's text is another one. */
export function useSyncContent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (piece: Piece) => api<ContentOut & { remoteChanged: boolean }>("POST", `/api/content/${piece.id}/sync`),
    onSuccess: ({ remoteChanged, ...synced }) => {
      const note = remoteChanged ? ". The post was edited on your site since it was last published from here" : "";
      toast({ title: "Success", description: `Content synced with WordPress successfully${note}` });
      keepContent(client, synced);
    },
    onError: (error) => toastError(error, { fallback: "Error syncing with WordPress" }),
  });
}

/** A write that failed may have changed the piece: its status, and the reason it shows. */
function refreshPiece(client: QueryClient, piece: Piece): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: keys.content(piece.id) }),
    refreshContentLists(client, piece),
  ]);
}
