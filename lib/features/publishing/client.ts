import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, apiPage, errorText } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { keepContent } from "@/lib/features/content/client";
import { isPublishable } from "@/lib/features/content/rules";
import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import { PIECES_AT_ONCE } from "@/lib/features/publishing/rules";
import type { CategoryOut, PublishAllOut, PublishResult } from "@/lib/features/publishing/schema";
import { createLimiter } from "@/lib/utils/limiter";

type Piece = { id: string; projectId: number; topicId: number };

/** What publishing says in place of the server's sentence. */
const NO_CREDENTIALS = "Please add your WordPress credentials in your profile settings.";

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
    onError: (error) => {
      if (!isRemoteChanged(error))
        toastError(error, { fallback: "Error publishing to WordPress", noCredentials: NO_CREDENTIALS });
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
    onError: (error) => toastError(error, { fallback: "Error unpublishing from WordPress" }),
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

const PAGE_SIZE = 1000;

/** Every publishable piece of a project: select-all means the whole project, so all pages are read. */
export function publishableQuery(projectId: number) {
  return queryOptions({
    queryKey: [...keys.projectContent(projectId), "publishable"],
    queryFn: async () => {
      const pieces: ContentSummary[] = [];
      let url: string | null = `/api/projects/${projectId}/content?limit=${PAGE_SIZE}`;
      while (url) {
        const page: { items: ContentSummary[]; next: string | null } = await apiPage<ContentSummary>(url);
        pieces.push(...page.items.filter(isPublishable));
        url = page.next;
      }
      return pieces;
    },
  });
}

/** The site's categories: fresh for five minutes, kept for ten. */
export function categoriesQuery() {
  return queryOptions({
    queryKey: keys.categories(),
    queryFn: () => api<CategoryOut[]>("GET", "/api/wordpress/categories"),
    staleTime: 5 * 60_000,
    gcTime: 10 * 60_000,
    refetchOnMount: false,
  });
}

/** Calls of one run of publish-all: each stops after its time budget and the next goes on. */
const MAX_ROUNDS = 100;

/** Publishes a whole project, going on by itself when the server ran out of time. */
export function usePublishAll(projectId: number) {
  return useMutation({
    mutationFn: async () => {
      const byPiece = new Map<string, PublishResult>();
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { results } = await api<PublishAllOut>("POST", `/api/projects/${projectId}/publish-all-to-wordpress`);
        for (const result of results) byPiece.set(result.contentId, result);
        const isDone = results.every(({ type }) => type !== "TIME_BUDGET");
        const isStuck = results.every(({ success, unchanged }) => !success || unchanged);
        if (isDone || isStuck) break;
      }
      return [...byPiece.values()];
    },
    onSuccess: (results) => tellPublished(results, "content pieces"),
    onError: (error) => toastError(error, { fallback: "Failed to publish all content", noCredentials: NO_CREDENTIALS }),
  });
}

type Selected = { piece: ContentSummary; categoryName: string };

/** Publishes the chosen pieces, one call each, four at a time, on past single failures. */
export function usePublishSelected(onProgress: (done: number) => void) {
  return useMutation({
    mutationFn: async (chosen: Selected[]) => {
      const limited = createLimiter(PIECES_AT_ONCE);
      let done = 0;
      return Promise.all(
        chosen.map((each) =>
          limited(async () => {
            const result = await publishOne(each);
            onProgress(++done);
            return result;
          }),
        ),
      );
    },
    onSuccess: (results) => tellPublished(results, "selected content pieces"),
  });
}

async function publishOne({ piece, categoryName }: Selected): Promise<PublishResult> {
  const { id: contentId, title } = piece;
  try {
    await api<ContentOut>("POST", `/api/content/${contentId}/publish`, { categoryName });
    return { contentId, title, success: true };
  } catch (error) {
    const type = error instanceof ApiError ? error.type : undefined;
    const sentence = errorText(error, "Failed to publish to WordPress");
    return { contentId, title, success: false, error: sentence, ...(type ? { type } : {}) };
  }
}

/** One toast for the whole; when nothing could be sent at all, the reason that all of them share. */
function tellPublished(results: PublishResult[], what: string): void {
  const succeeded = results.filter(({ success }) => success).length;
  const first = results.find(({ type }) => type === "MISSING_CREDENTIALS" || type === "CONNECTION_ERROR");
  if (succeeded === 0 && first?.type && first.type !== "TIME_BUDGET") {
    const error = new ApiError(0, first.error ?? "", true, first.type);
    toastError(error, { fallback: "Failed to publish to WordPress", noCredentials: NO_CREDENTIALS });
    return;
  }
  toast({
    title: "Publishing Complete",
    description: `Successfully published ${succeeded} out of ${results.length} ${what}`,
    variant: succeeded === 0 ? "destructive" : "default",
  });
}
