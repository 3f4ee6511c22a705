import { type QueryClient, queryOptions, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import pLimit from "p-limit";
import { ApiError, api, apiPage, detailOf, errorText } from "@/lib/client/api";
import { warnBeforeUnload } from "@/lib/client/leave-guard";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { useQueryData } from "@/lib/client/use-query-data";
import { cacheContent, pieceSubject } from "@/lib/features/content/client";
import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import { isPublishable } from "@/lib/features/publishing/rules";
import type { CategoryOut, PublishAllOut, PublishResult } from "@/lib/features/publishing/schema";

type Piece = { id: string; projectId: number; topicId: number };

/** Replaces the server's sentence. */
const NO_CREDENTIALS = "Please add your WordPress credentials in your profile settings.";

/** The mutations that call the site: see usePublishing. */
const PUBLISHING = ["publishing"] as const;

/** `force` overwrites a post that was edited on the site. */
export type PublishOne = {
  piece: Piece;
  categoryId?: string;
  categoryName?: string;
  byTopic?: boolean;
  force?: boolean;
};

/**
 * Publishes a piece, or updates its post. If the post was edited on the site (isRemoteChanged), the caller asks the person and
 * publishes again with `force`.
 */
export function usePublishContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: ({ piece, ...input }: PublishOne) => api<ContentOut>("POST", `/api/content/${piece.id}/publish`, input),
    onSuccess: (published) => {
      const description = "Content published to WordPress successfully";
      toast({ title: "Success", description, subject: pieceSubject(published.id) });
      cacheContent(client, published);
    },
    onError: (error, { piece }) => {
      if (isRemoteChanged(error)) return;
      const subject = pieceSubject(piece.id);
      toastError(error, { fallback: "Error publishing to WordPress", noCredentials: NO_CREDENTIALS, subject });
    },
  });
}

/** Was the publish refused because the post was edited on the site? */
export function isRemoteChanged(error: unknown): boolean {
  return error instanceof ApiError && error.type === "REMOTE_CHANGED";
}

/** Turns the site's post into a draft. */
export function useUnpublishContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: (piece: Piece) => api<ContentOut>("POST", `/api/content/${piece.id}/unpublish`),
    onSuccess: (unpublished) => {
      const description = "Content unpublished from WordPress successfully";
      toast({ title: "Success", description, subject: pieceSubject(unpublished.id) });
      cacheContent(client, unpublished);
    },
    onError: (error, { id }) =>
      toastError(error, { fallback: "Error unpublishing from WordPress", subject: pieceSubject(id) }),
  });
}

/** Reads the post's status on the site. Text is never copied; the toast says when the site's text differs. */
export function useSyncContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: (piece: Piece) => api<ContentOut & { remoteChanged: boolean }>("POST", `/api/content/${piece.id}/sync`),
    onSuccess: ({ remoteChanged, ...synced }) => {
      const note = remoteChanged ? ". The post was edited on your site since it was last published from here" : "";
      const description = `Content synced with WordPress successfully${note}`;
      toast({ title: "Success", description, subject: pieceSubject(synced.id) });
      cacheContent(client, synced);
    },
    onError: (error, { id }) =>
      toastError(error, { fallback: "Error syncing with WordPress", subject: pieceSubject(id) }),
  });
}

const PAGE_SIZE = 1000;
/** Of the selected pieces. */
const MAX_CONCURRENT_PIECES = 4;

/** Every publishable piece of a project, all pages of it: select-all means the whole project. */
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

/** The site's categories. Refetched on mount when a publish may have added one. */
export function categoriesQuery() {
  return queryOptions({
    queryKey: keys.categories(),
    queryFn: () => api<CategoryOut[]>("GET", "/api/wordpress/categories"),
    staleTime: 5 * 60_000,
    gcTime: 10 * 60_000,
    refetchOnMount: ({ state }) => state.isInvalidated,
  });
}

/** What is being published of a project, from any screen; `bulk` is a run of many pieces. */
export type Publishing = { bulk: "all" | "selected" | null; pieceIds: ReadonlySet<string>; isBusy: boolean };

export function usePublishing(projectId: number): Publishing {
  const running = useMutationState({
    filters: { mutationKey: PUBLISHING, status: "pending" },
    select: ({ options: { mutationKey }, state: { variables } }) => {
      const [, bulk, runProject] = mutationKey ?? [];
      if (bulk) return { projectId: runProject, bulk: bulk as "all" | "selected" };
      const piece = pieceOf(variables as PublishOne | Piece | undefined);
      return { projectId: piece?.projectId, pieceId: piece?.id };
    },
  }).filter((each) => each.projectId === projectId);
  return {
    bulk: running.find(({ bulk }) => bulk)?.bulk ?? null,
    pieceIds: new Set(running.flatMap(({ pieceId }) => pieceId ?? [])),
    isBusy: running.length > 0,
  };
}

function pieceOf(variables: PublishOne | Piece | undefined): Piece | undefined {
  return variables && "piece" in variables ? variables.piece : variables;
}

/** The progress of a run, or the result of the last one. `total` is the number of pieces at its start. */
export type PublishRun = { total: number; published: number; failures: PublishResult[] };

/** The project's run. It continues when its screen is left. */
export function usePublishRun(projectId: number): PublishRun | undefined {
  return useQueryData<PublishRun>(keys.publishRun(projectId));
}

function setPublishRun(client: QueryClient, projectId: number, total: number, results: Iterable<PublishResult>): void {
  const ended = [...results].filter(({ type }) => type !== "TIME_BUDGET");
  const failures = ended.filter(({ success }) => !success);
  const published = ended.length - failures.length;
  client.setQueryData<PublishRun>(keys.publishRun(projectId), { total, published, failures });
}

/** Closing or reloading the page would stop a run before its next call. */
async function withUnloadWarning<T>(work: () => Promise<T>): Promise<T> {
  const stop = warnBeforeUnload();
  return work().finally(stop);
}

/** Calls of one publish-all run: each stops after its time budget and the next continues. */
const MAX_ROUNDS = 100;

/** Publishes a whole project. Calls again while the server runs out of its time budget. */
export function usePublishAll(projectId: number) {
  const client = useQueryClient();
  const run = async (total: number) => {
    const byPiece = new Map<string, PublishResult>();
    setPublishRun(client, projectId, total, []);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { results } = await api<PublishAllOut>("POST", `/api/projects/${projectId}/publish-all-to-wordpress`);
      for (const result of results) byPiece.set(result.contentId, result);
      setPublishRun(client, projectId, total, byPiece.values());
      const isDone = results.every(({ type }) => type !== "TIME_BUDGET");
      const isStuck = results.every(({ success, unchanged }) => !success || unchanged);
      if (isDone || isStuck) break;
    }
    return [...byPiece.values()];
  };
  return useMutation({
    mutationKey: [...PUBLISHING, "all", projectId],
    mutationFn: (total: number) => withUnloadWarning(() => run(total)),
    onSuccess: (results) => toastPublished(projectId, results, "content pieces"),
    onError: (error) =>
      toastError(error, {
        fallback: "Failed to publish all content",
        noCredentials: NO_CREDENTIALS,
        subject: runSubject(projectId),
      }),
  });
}

/** Without the topic's name the server finds it. */
type Selected = { piece: ContentSummary; topicName: string | undefined };

/** Publishes the chosen pieces with one call each. Failures do not stop the others. */
export function usePublishSelected(projectId: number) {
  const client = useQueryClient();
  const run = async (chosen: Selected[]) => {
    const limit = pLimit(MAX_CONCURRENT_PIECES);
    const ended: PublishResult[] = [];
    setPublishRun(client, projectId, chosen.length, ended);
    return Promise.all(
      chosen.map((each) =>
        limit(async () => {
          const result = await publishOne(each);
          ended.push(result);
          setPublishRun(client, projectId, chosen.length, ended);
          return result;
        }),
      ),
    );
  };
  return useMutation({
    mutationKey: [...PUBLISHING, "selected", projectId],
    mutationFn: (chosen: Selected[]) => withUnloadWarning(() => run(chosen)),
    onSuccess: (results) => toastPublished(projectId, results, "selected content pieces"),
  });
}

async function publishOne({ piece, topicName }: Selected): Promise<PublishResult> {
  const { id: contentId, title } = piece;
  try {
    await api<ContentOut>("POST", `/api/content/${contentId}/publish`, categoryOfTopic(topicName));
    return { contentId, title, success: true };
  } catch (error) {
    const type = error instanceof ApiError ? error.type : undefined;
    const sentence = errorText(error, "Failed to publish to WordPress");
    const detail = detailOf(error);
    return {
      contentId,
      title,
      success: false,
      error: sentence,
      ...(detail ? { detail } : {}),
      ...(type ? { type } : {}),
    };
  }
}

/** The topic's name as the category. Never made up: the server knows a name that is missing here. */
export function categoryOfTopic(topicName: string | undefined): { categoryName: string } | { byTopic: true } {
  return topicName ? { categoryName: topicName } : { byTopic: true };
}

/** One toast for the whole run; when nothing could be published, with the reason they share. */
function toastPublished(projectId: number, results: PublishResult[], what: string): void {
  const subject = runSubject(projectId);
  const succeeded = results.filter(({ success }) => success).length;
  const first = results.find(isOfEveryPiece);
  if (succeeded === 0 && first) {
    const error = new ApiError(0, first.error, true, first.type, {}, { detail: first.detail });
    toastError(error, { fallback: "Failed to publish to WordPress", noCredentials: NO_CREDENTIALS, subject });
    return;
  }
  toast({
    title: "Publishing Complete",
    description: `Successfully published ${succeeded} out of ${results.length} ${what}`,
    variant: succeeded === 0 ? "destructive" : "default",
    subject,
  });
}

type OfEveryPiece = PublishResult & { type: "MISSING_CREDENTIALS" | "CONNECTION_ERROR"; error: string };

function isOfEveryPiece(result: PublishResult): result is OfEveryPiece {
  return result.type === "MISSING_CREDENTIALS" || result.type === "CONNECTION_ERROR";
}

function runSubject(projectId: number): string {
  return `publishing:${projectId}`;
}
