import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError, api, apiList, apiPage } from "@/lib/client/api";
import { setAnswer } from "@/lib/client/invalidation";
import { editFewerPieces, editLibraryCounts, editPieces, removeById, updateById } from "@/lib/client/list-edits";
import type { FoundCopy } from "@/lib/client/local-copies";
import { keys } from "@/lib/client/query-keys";
import { saveRejectedText } from "@/lib/client/rejected-text";
import { toast, toastError } from "@/lib/client/toast";
import { useOptimisticMutation } from "@/lib/client/use-optimistic-mutation";
import type {
  ContentGroup,
  ContentOut,
  ContentSummary,
  CreateContentInput,
  Neighbours,
  RevisionOut,
  RevisionSummary,
  UpdateContentInput,
} from "@/lib/features/content/schema";
import { type ContentStatus, stepOf } from "@/lib/features/content/states";
import type { PieceStep } from "@/lib/features/topics/rules";
import { isBlank } from "@/lib/utils/text";

/** Rows per page of a list. */
const PAGE_SIZE = 50;

/** The library's filters; empty is everything. */
export type LibraryFilters = {
  search?: string;
  projectId?: number;
  topicId?: number;
  status?: ContentStatus;
  step?: PieceStep;
  newerHere?: "true";
};

/** One piece with body and outline. */
export function contentQuery(id: string) {
  return queryOptions({
    queryKey: keys.content(id),
    queryFn: () => api<ContentOut>("GET", `/api/content/${id}`),
    // Its editor says when it cannot save, and its next save meets what it has not seen.
    meta: { isStaleHarmless: true },
  });
}

/** What the topic lists before and after a piece. */
export function neighboursQuery(id: string) {
  return queryOptions({
    queryKey: keys.neighbours(id),
    queryFn: () => api<Neighbours>("GET", `/api/content/${id}/neighbours`),
    // A link to a piece that is gone says so.
    meta: { isStaleHarmless: true },
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
    queryFn: (context) => apiList<ContentGroup>(`/api/content/groups${queryOf(filters)}`, searchInit(filters, context)),
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
    // Rows mount and unmount while scrolling: a failed load waits for the user to retry, whichever page failed.
    retryOnMount: false,
    refetchOnMount: ({ state }) => state.status !== "error",
  });
}

/** Twice what the search palette shows in texts: it has others by their titles already. */
const MAX_HITS = 16;

/** The newest pieces with this text in their title or body. */
export function librarySearchQuery(search: string) {
  const filter = { search, limit: MAX_HITS };
  return queryOptions({
    queryKey: keys.library(filter),
    queryFn: (context) =>
      api<ContentSummary[]>("GET", `/api/content${queryOf(filter)}`, undefined, searchInit(filter, context)),
  });
}

/**
 * Aborts a search once nothing on screen uses it, since the next one has replaced it. React Query cancels only queries that
 * read `signal`: other lists load to their end and stay cached.
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

export function useCreateContent({ projectId, topicId }: Placed) {
  const subject = `new content:${topicId}`;
  return useMutation({
    mutationFn: (input: CreateContentInput) =>
      api<ContentOut>("POST", `/api/projects/${projectId}/topics/${topicId}/content`, input),
    onSuccess: () => toast({ title: "Success", description: "Content added successfully", subject }),
    onError: (error) => toastError(error, { fallback: "Failed to add content", subject }),
  });
}

/** Where rejected titles of a topic's pieces are kept, by the id of the piece. */
export const rejectedTitles = (topicId: number) => `/api/topics/${topicId}/titles`;

/**
 * The inline title edit of a list. The piece's own query keeps the old title until the answer: an editor opened meanwhile
 * starts with what is stored.
 */
export function useRenameContent(piece: ContentSummary) {
  const client = useQueryClient();
  return useOptimisticMutation({
    mutationFn: ({ title }: { title: string }) => rename(piece, title),
    edits: ({ title }) => editPieces<ContentSummary>(piece, updateById<ContentSummary>(piece.id, { title })),
    success: "Content title updated successfully",
    onAnswer: (saved) => cacheContent(client, saved),
    failure: "Error updating content",
    subject: () => pieceSubject(piece.id),
    onRejected: ({ title }) => saveRejectedText(client, rejectedTitles(piece.topicId), piece.id, title),
  });
}

/**
 * A list can be older than the piece. If only other fields have changed since, the title is saved on the newer version; if the
 * title itself has, the user decides.
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

/** The current piece, when a save was refused because it was based on an older version. */
export function conflictOf(error: unknown): ContentOut | undefined {
  if (!(error instanceof ApiError) || error.type !== "VERSION_CONFLICT") return undefined;
  return error.details.current as ContentOut;
}

/** Deletes a piece. Its post on the user's site stays. */
export function useDeleteContent() {
  const client = useQueryClient();
  return useOptimisticMutation({
    mutationFn: ({ id }: ContentSummary) => api<void>("DELETE", `/api/content/${id}`),
    edits: (piece) => [
      ...editPieces<ContentSummary>(piece, removeById(piece.id)),
      editLibraryCounts(piece.topicId, 1, filtersFinding(client, piece)),
      editFewerPieces(piece, stepOf(piece)),
    ],
    success: "Content deleted successfully",
    failure: "Failed to delete content",
    subject: ({ id }) => pieceSubject(id),
  });
}

/** The library's filters that find this piece. Which searches do, only their loaded rows tell. */
function filtersFinding(client: QueryClient, piece: ContentSummary): (filters: LibraryFilters) => boolean {
  const searches = client
    .getQueriesData<InfiniteData<{ items: ContentSummary[] }> | ContentSummary[]>({ queryKey: keys.allLibrary() })
    .filter(([, rows]) => piecesOf(rows).some(({ id }) => id === piece.id))
    .map(([[, filter]]) => (filter as LibraryFilters | undefined)?.search);
  const { projectId, topicId, status, isNewerHere } = piece;
  const found = { projectId, topicId, status, step: stepOf(piece), newerHere: isNewerHere ? "true" : undefined };
  return ({ search, ...filters }) =>
    (Object.keys(filters) as (keyof typeof found)[]).every((name) => filters[name] === found[name]) &&
    (!search || searches.includes(search));
}

function piecesOf(rows: InfiniteData<{ items: ContentSummary[] }> | ContentSummary[] = []): ContentSummary[] {
  return Array.isArray(rows) ? rows : rows.pages.flatMap(({ items }) => items);
}

/**
 * The editor's save. `isLast`: the page may be gone in a moment; a browser then still sends what is not too long. The caller
 * handles failures and toasts.
 */
export async function saveContent(
  client: QueryClient,
  id: string,
  input: UpdateContentInput,
  { isLast }: { isLast: boolean },
): Promise<ContentOut> {
  const saved = await api<ContentOut>("PATCH", `/api/content/${id}`, input, isLast ? { keepalive: true } : {});
  cacheContent(client, saved);
  return saved;
}

/** What a copy in this browser holds of a piece: unsaved edits, and the version they are based on. */
type KeptEdits = { version: number | null; edits: { title?: string; body?: string; outline?: string } };

/** How long a sign-out waits for a copy that is being sent. */
const SEND_COPY_MS = 10_000;

/**
 * Sends what this browser alone has of a user's pieces, and erases what has arrived. What is based on an older version is kept
 * as a revision.
 */
export async function sendCopies(userId: string): Promise<{ sent: FoundCopy[]; unsent: FoundCopy[] }> {
  // The lists of every project need none of it.
  const { copiesOf, eraseCopies } = await import("@/lib/client/local-copies");
  const sent: FoundCopy[] = [];
  const unsent: FoundCopy[] = [];
  for (const copy of await copiesOf<KeptEdits>(userId)) {
    const hasArrived = await sendCopy(copy);
    if (hasArrived) await eraseCopies([copy]);
    (hasArrived ? sent : unsent).push(copy);
  }
  return { sent, unsent };
}

async function sendCopy({ subject, value }: FoundCopy<KeptEdits>): Promise<boolean> {
  const { title, body, outline } = value.edits;
  const input = { body, outline, ...(isBlank(title) ? {} : { title }), version: value.version ?? undefined };
  if (input.body === undefined && input.outline === undefined && input.title === undefined) return isBlank(title);
  try {
    await api("PATCH", `/api/content/${subject}`, input, { signal: AbortSignal.timeout(SEND_COPY_MS) });
    return true;
  } catch (error) {
    return conflictOf(error) !== undefined;
  }
}

/** Restores the texts of a revision. */
export function useRestoreRevision(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (revisionId: string) => api<ContentOut>("POST", `/api/content/${id}/revisions/${revisionId}/restore`),
    onSuccess: (saved) => {
      toast({ title: "Success", description: "Content has been updated successfully", subject: pieceSubject(id) });
      cacheContent(client, saved);
    },
    onError: (error) => toastError(error, { fallback: "Error updating content", subject: pieceSubject(id) }),
  });
}

/** The subject of every toast about this piece: the newest replaces the older ones. */
export function pieceSubject(id: string): string {
  return `piece:${id}`;
}

/** Stores a piece from a call's answer, for the editor. */
export function cacheContent(client: QueryClient, piece: ContentOut): void {
  setAnswer(client, keys.content(piece.id), piece);
}
