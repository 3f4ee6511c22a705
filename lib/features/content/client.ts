import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError, api, apiPage } from "@/lib/client/api";
import { inContentLists, inLibraryNumbers, inTopicNumbers } from "@/lib/client/list-changes";
import { putAnswer } from "@/lib/client/live";
import type { Change } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import { toast, toastError } from "@/lib/client/toast";
import { keepUnsaved } from "@/lib/client/unsaved";
import { useOptimistic } from "@/lib/client/use-optimistic";
import type {
  ContentGroup,
  ContentOut,
  ContentSummary,
  CreateContentInput,
  RevisionOut,
  RevisionSummary,
  UpdateContentInput,
} from "@/lib/features/content/schema";
import type { ContentStatus } from "@/lib/features/content/states";

/** Rows of a list loaded at once; "Show more" brings the next ones. */
const PAGE_SIZE = 50;

/** What the library is narrowed down to; empty is everything. */
export type LibraryFilters = { search?: string; projectId?: number; status?: ContentStatus };

/** One piece with body and outline. */
export function contentQuery(id: string) {
  return queryOptions({
    queryKey: keys.content(id),
    queryFn: () => api<ContentOut>("GET", `/api/content/${id}`),
  });
}

/** The pieces of a topic, page by page, newest first. */
export function topicContentQuery(projectId: number, topicId: number) {
  return infiniteQueryOptions({
    queryKey: keys.topicContent(projectId, topicId),
    queryFn: ({ pageParam }) => apiPage<ContentSummary>(pageParam),
    initialPageParam: `/api/projects/${projectId}/topics/${topicId}/content?limit=${PAGE_SIZE}`,
    getNextPageParam: (page) => page.next,
  });
}

/** How many pieces match in each project and topic. */
export function libraryGroupsQuery(filters: LibraryFilters) {
  return queryOptions({
    queryKey: keys.libraryGroups(filters),
    queryFn: (context) =>
      api<ContentGroup[]>("GET", `/api/content/groups${queryOf(filters)}`, undefined, searchInit(filters, context)),
  });
}

/** The matching pieces of one topic of the library, page by page, newest first. */
export function libraryRowsQuery(filters: LibraryFilters, projectId: number, topicId: number) {
  const filter = { ...filters, projectId, topicId, limit: PAGE_SIZE };
  return infiniteQueryOptions({
    queryKey: keys.library(filter),
    queryFn: (context) => apiPage<ContentSummary>(context.pageParam, searchInit(filter, context)),
    initialPageParam: `/api/content${queryOf(filter)}`,
    getNextPageParam: (page) => page.next,
    // Lines come and go while one scrolls: a failure waits for the person to try again.
    retryOnMount: false,
  });
}

/** Pieces shown when one searches from anywhere. */
const HITS = 8;

/** The newest pieces with this text in title or body. */
export function librarySearchQuery(search: string) {
  const filter = { search, limit: HITS };
  return queryOptions({
    queryKey: keys.library(filter),
    queryFn: (context) =>
      api<ContentSummary[]>("GET", `/api/content${queryOf(filter)}`, undefined, searchInit(filter, context)),
  });
}

/**
 * A search that nothing on the screen waits for any more is given up, and the server with it: it was replaced by the next
 * one. Reading `signal` is what makes React Query do so; other lists load to their end and are kept.
 */
function searchInit({ search }: LibraryFilters, context: { signal: AbortSignal }): RequestInit {
  return search ? { signal: context.signal } : {};
}

/** The revisions of a piece, page by page, newest first, without their texts. */
export function revisionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.revisions(id),
    queryFn: ({ pageParam }) => apiPage<RevisionSummary>(pageParam),
    initialPageParam: `/api/content/${id}/revisions?limit=${PAGE_SIZE}`,
    getNextPageParam: (page) => page.next,
  });
}

/** One revision with its texts. */
export function revisionQuery(id: string, revisionId: string) {
  return queryOptions({
    queryKey: keys.revision(id, revisionId),
    queryFn: () => api<RevisionOut>("GET", `/api/content/${id}/revisions/${revisionId}`),
  });
}

function queryOf(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query ? `?${query}` : "";
}

type Placed = { projectId: number; topicId: number };

/** Adds a piece by hand. */
export function useCreateContent({ projectId, topicId }: Placed) {
  const subject = `new content:${topicId}`;
  return useMutation({
    mutationFn: (input: CreateContentInput) =>
      api<ContentOut>("POST", `/api/projects/${projectId}/topics/${topicId}/content`, input),
    onSuccess: () => toast({ title: "Success", description: "Content added successfully", subject }),
    onError: (error) => toastError(error, { fallback: "Failed to add content", subject }),
  });
}

/** Where the titles of a topic's pieces are kept that the server refused, by the id of the piece. */
export const unsavedTitles = (topicId: number) => `/api/topics/${topicId}/titles`;

/**
 * The inline title edit of a list. The new title shows in all lists at once; one that is refused is kept for its field. The
 * piece itself keeps its title until the answer: an editor that is opened meanwhile begins with what is stored.
 */
export function useRenameContent(piece: ContentSummary) {
  const client = useQueryClient();
  return useOptimistic({
    call: ({ title }: { title: string }) => rename(piece, title),
    changes: ({ title }) =>
      inContentLists<ContentSummary>(piece, (pieces) =>
        pieces.map((each) => (each.id === piece.id ? { ...each, title } : each)),
      ),
    done: "Content title updated successfully",
    keep: (saved) => keepContent(client, saved),
    failed: "Error updating content",
    subject: () => pieceSubject(piece.id),
    keepText: ({ title }) => keepUnsaved(client, unsavedTitles(piece.topicId), piece.id, title),
  });
}

/**
 * A list can be older than the piece: when only other fields were changed meanwhile the new title does no harm and is
 * saved on the newer version; when the title itself was changed elsewhere the person decides.
 */
async function rename({ id, title: shown, version }: ContentSummary, title: string): Promise<ContentOut> {
  const url = `/api/content/${id}`;
  try {
    return await api<ContentOut>("PATCH", url, { title, version });
  } catch (error) {
    const current = conflictOf(error);
    if (current?.title !== shown) throw error;
    return api<ContentOut>("PATCH", url, { title, version: current.version });
  }
}

/** The piece as it stands now, when a save was refused because it was made on an older version. */
export function conflictOf(error: unknown): ContentOut | undefined {
  if (!(error instanceof ApiError) || error.type !== "VERSION_CONFLICT") return undefined;
  return error.details.current as ContentOut;
}

/** Deletes a piece: gone from all lists at once, back when the server refuses. What is on the person's site stays there. */
export function useDeleteContent() {
  const client = useQueryClient();
  return useOptimistic({
    call: ({ id }: ContentSummary) => api<void>("DELETE", `/api/content/${id}`),
    changes: (piece) => without(client, piece),
    done: "Content deleted successfully",
    failed: "Failed to delete content",
    subject: ({ id }) => pieceSubject(id),
  });
}

function without(client: QueryClient, piece: ContentSummary): Change[] {
  const numbers = client.getQueryCache().findAll({ queryKey: keys.allLibraryGroups() });
  return [
    ...inContentLists<ContentSummary>(piece, (pieces) => pieces.filter(({ id }) => id !== piece.id)),
    ...numbers
      .filter(({ queryKey }) => isCounted(client, piece, queryKey[1] as LibraryFilters | undefined))
      .map(({ queryKey }) => ({ ...inLibraryNumbers(queryKey, piece.topicId, 1), exact: true })),
    inTopicNumbers(piece, "contentCount", -1),
  ];
}

/** Whether the library counts the piece under these filters. What a search found, only its rows tell. */
function isCounted(client: QueryClient, piece: ContentSummary, filters: LibraryFilters = {}): boolean {
  const { search, projectId = piece.projectId, status = piece.status } = filters;
  if (projectId !== piece.projectId || status !== piece.status) return false;
  if (search === undefined) return true;
  const rows = client.getQueryData(libraryRowsQuery(filters, piece.projectId, piece.topicId).queryKey);
  return rows?.pages.some(({ items }) => items.some(({ id }) => id === piece.id)) ?? false;
}

/**
 * The editor's save. The caller decides what a failure means (VERSION_CONFLICT opens a dialog) and how a success is told:
 * saving before publishing is silent.
 */
export function useSaveContent(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateContentInput) => api<ContentOut>("PATCH", `/api/content/${id}`, input),
    onSuccess: (saved) => keepContent(client, saved),
  });
}

/** Takes the texts of a revision back. */
export function useRestoreRevision(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (revisionId: string) => api<ContentOut>("POST", `/api/content/${id}/revisions/${revisionId}/restore`),
    onSuccess: (saved) => {
      toast({ title: "Success", description: "Content has been updated successfully", subject: pieceSubject(id) });
      keepContent(client, saved);
    },
    onError: (error) => toastError(error, { fallback: "Error updating content", subject: pieceSubject(id) }),
  });
}

/** What the outcome of a call for this piece is about: the newest is the one that holds. */
export function pieceSubject(id: string): string {
  return `piece:${id}`;
}

/** Puts a piece that a call answered where the editor shows it. */
export function keepContent(client: QueryClient, piece: ContentOut): void {
  putAnswer(client, keys.content(piece.id), piece);
}
