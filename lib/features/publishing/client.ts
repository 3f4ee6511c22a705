import { type QueryClient, queryOptions, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, apiPage, detailOf, errorText } from "@/lib/client/api";
import { askBeforeUnload } from "@/lib/client/leaving";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { useCached } from "@/lib/client/use-cached";
import { keepContent, pieceSubject } from "@/lib/features/content/client";
import { isPublishable } from "@/lib/features/content/rules";
import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import { PIECES_AT_ONCE } from "@/lib/features/publishing/rules";
import type { CategoryOut, PublishAllOut, PublishResult } from "@/lib/features/publishing/schema";
import { createLimiter } from "@/lib/utils/limiter";

type Piece = { id: string; projectId: number; topicId: number };

/** What publishing says in place of the server's sentence. */
const NO_CREDENTIALS = "Please add your WordPress credentials in your profile settings.";

/** Names all that goes out to the site: see usePublishing. */
const PUBLISHING = ["publishing"] as const;

/** One publish. `force` overwrites a post that was edited on the site since we wrote it. */
export type PublishOne = {
  piece: Piece;
  categoryId?: string;
  categoryName?: string;
  byTopic?: boolean;
  force?: boolean;
};

/**
 * Publishes a piece, or updates its post. A post that was edited on the site is not told here: the caller asks
 * (isRemoteChanged) and publishes again with `force`.
 */
export function usePublishContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: ({ piece, ...input }: PublishOne) => api<ContentOut>("POST", `/api/content/${piece.id}/publish`, input),
    onSuccess: (published) => {
      const description = "Content published to WordPress successfully";
      toast({ title: "Success", description, subject: pieceSubject(published.id) });
      keepContent(client, published);
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

/** Makes the site's post a draft. */
export function useUnpublishContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: (piece: Piece) => api<ContentOut>("POST", `/api/content/${piece.id}/unpublish`),
    onSuccess: (unpublished) => {
      const description = "Content unpublished from WordPress successfully";
      toast({ title: "Success", description, subject: pieceSubject(unpublished.id) });
      keepContent(client, unpublished);
    },
    onError: (error, { id }) =>
      toastError(error, { fallback: "Error unpublishing from WordPress", subject: pieceSubject(id) }),
  });
}

/** Reads the post's status on the site. It never copies text; the person is told when the site's text is another one. */
export function useSyncContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: (piece: Piece) => api<ContentOut & { remoteChanged: boolean }>("POST", `/api/content/${piece.id}/sync`),
    onSuccess: ({ remoteChanged, ...synced }) => {
      const note = remoteChanged ? ". The post was edited on your site since it was last published from here" : "";
      const description = `Content synced with WordPress successfully${note}`;
      toast({ title: "Success", description, subject: pieceSubject(synced.id) });
      keepContent(client, synced);
    },
    onError: (error, { id }) =>
      toastError(error, { fallback: "Error syncing with WordPress", subject: pieceSubject(id) }),
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

/** The site's categories: fresh for five minutes, kept for ten; fetched at once when a publish may have added one. */
export function categoriesQuery() {
  return queryOptions({
    queryKey: keys.categories(),
    queryFn: () => api<CategoryOut[]>("GET", "/api/wordpress/categories"),
    staleTime: 5 * 60_000,
    gcTime: 10 * 60_000,
    refetchOnMount: ({ state }) => state.isInvalidated,
  });
}

/** What of a project is on its way to the site, whichever screen began it; `bulk` is the run of many. */
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

/** How far a run of many is, or how the last one ended. `total` is the number of pieces when it began. */
export type PublishRun = { total: number; published: number; failures: PublishResult[] };

const RUN = "publishing-run";

/** The project's run: it goes on when its screen is left, and is found again there. */
export function usePublishRun(projectId: number): PublishRun | undefined {
  return useCached<PublishRun>([RUN, projectId]);
}

function noteRun(client: QueryClient, projectId: number, total: number, results: Iterable<PublishResult>): void {
  const ended = [...results].filter(({ type }) => type !== "TIME_BUDGET");
  const failures = ended.filter(({ success }) => !success);
  // Nothing watches it as a query while its screen is left.
  client.setQueryDefaults([RUN], { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData<PublishRun>([RUN, projectId], { total, published: ended.length - failures.length, failures });
}

/** Closing the page or loading it again would end the calls that are still to be made. */
async function askingBeforeUnload<T>(work: () => Promise<T>): Promise<T> {
  const stop = askBeforeUnload();
  return work().finally(stop);
}

/** Calls of one run of publish-all: each stops after its time budget and the next goes on. */
const MAX_ROUNDS = 100;

/** Publishes a whole project of so many pieces, going on by itself when the server ran out of time. */
export function usePublishAll(projectId: number) {
  const client = useQueryClient();
  const run = async (total: number) => {
    const byPiece = new Map<string, PublishResult>();
    noteRun(client, projectId, total, []);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { results } = await api<PublishAllOut>("POST", `/api/projects/${projectId}/publish-all-to-wordpress`);
      for (const result of results) byPiece.set(result.contentId, result);
      noteRun(client, projectId, total, byPiece.values());
      const isDone = results.every(({ type }) => type !== "TIME_BUDGET");
      const isStuck = results.every(({ success, unchanged }) => !success || unchanged);
      if (isDone || isStuck) break;
    }
    return [...byPiece.values()];
  };
  return useMutation({
    mutationKey: [...PUBLISHING, "all", projectId],
    mutationFn: (total: number) => askingBeforeUnload(() => run(total)),
    onSuccess: (results) => tellPublished(projectId, results, "content pieces"),
    onError: (error) =>
      toastError(error, {
        fallback: "Failed to publish all content",
        noCredentials: NO_CREDENTIALS,
        subject: runSubject(projectId),
      }),
  });
}

/** A piece and its topic's name; without it the server names the topic. */
type Selected = { piece: ContentSummary; topicName: string | undefined };

/** Publishes the chosen pieces, one call each, four at a time, on past single failures. */
export function usePublishSelected(projectId: number) {
  const client = useQueryClient();
  const run = async (chosen: Selected[]) => {
    const limited = createLimiter(PIECES_AT_ONCE);
    const ended: PublishResult[] = [];
    noteRun(client, projectId, chosen.length, ended);
    return Promise.all(
      chosen.map((each) =>
        limited(async () => {
          const result = await publishOne(each);
          ended.push(result);
          noteRun(client, projectId, chosen.length, ended);
          return result;
        }),
      ),
    );
  };
  return useMutation({
    mutationKey: [...PUBLISHING, "selected", projectId],
    mutationFn: (chosen: Selected[]) => askingBeforeUnload(() => run(chosen)),
    onSuccess: (results) => tellPublished(projectId, results, "selected content pieces"),
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

/** The topic's name as the category. One that is not known here is never made up: the server has it. */
export function categoryOfTopic(topicName: string | undefined): { categoryName: string } | { byTopic: true } {
  return topicName ? { categoryName: topicName } : { byTopic: true };
}

/** One toast for the whole; when nothing could be sent at all, the reason that all of them share. */
function tellPublished(projectId: number, results: PublishResult[], what: string): void {
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
