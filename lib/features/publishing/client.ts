import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, api, apiList, apiPage, isNotFound } from "@/lib/client/api";
import { publishingChanges } from "@/lib/client/changes";
import { invalidate, markOutdated, onChanges, refetchNow } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import { withSiteAnswer } from "@/lib/client/site-question";
import { toast, toastError } from "@/lib/client/toast";
import type { ToastAction } from "@/lib/client/toast-input";
import { useQueryData } from "@/lib/client/use-query-data";
import { cacheContent, pieceSubject } from "@/lib/features/content/client";
import type { ContentOut, ContentSummary } from "@/lib/features/content/schema";
import { FAILED, saidOfEnd, saidOfStanding } from "@/lib/features/publishing/client/words";
import { isPublishable } from "@/lib/features/publishing/rules";
import type {
  CategoryOut,
  LatestPublishingOut,
  PublishingCounts,
  PublishingJobOut,
  PublishingResultOut,
  RecentPublishingJob,
  StartPublishingInput,
} from "@/lib/features/publishing/schema";
import type { BulkVerb } from "@/lib/features/publishing/states";
import { namedSite } from "@/lib/features/sites/client";
import type { SiteAnswer } from "@/lib/features/sites/schema";
import { QUEUE_POLL_MS } from "@/lib/features/work/client";
import { isEnded, type ProcessingStatus } from "@/lib/features/work/states";

type Piece = { id: string; projectId: number; topicId: number };

/** These replace the server's sentence. */
const NO_CREDENTIALS = "Please add your WordPress credentials in your profile settings.";
const CREDENTIALS_NOT_FOUND = "WordPress credentials not found. Please add them in your profile settings.";

/**
 * What the toast of a failed call to a project's site says beyond the failure. Of a site that is not the default one the server's own
 * sentence says which credentials are missing.
 */
function ofSite(client: QueryClient, projectId: number, noCredentials: string) {
  const site = namedSite(client, projectId);
  return { ...(site && !site.isDefault ? {} : { noCredentials }), note: site && `Site: ${site.name}.` };
}

/** " (Garden blog)" where the user has several sites. */
function siteNote(client: QueryClient, projectId: number): string {
  const site = namedSite(client, projectId);
  return site ? ` (${site.name})` : "";
}

/** The mutations that call the site: see usePublishing. */
const PUBLISHING = ["publishing"] as const;

/** `force` overwrites a post that was edited on the site; `now` makes one live that is scheduled there. */
export type PublishOne = {
  piece: Piece;
  categoryId?: string;
  categoryName?: string;
  byTopic?: boolean;
  force?: boolean;
  now?: boolean;
};

/**
 * Publishes a piece, or updates its post. If the post was edited on the site (isRemoteChanged), the caller asks the user and
 * publishes again with `force`.
 */
export function usePublishContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: ({ piece, ...input }: PublishOne) =>
      withSiteAnswer((site) => api<ContentOut>("POST", `/api/content/${piece.id}/publish`, { ...input, ...site })),
    onSuccess: (published) => {
      const said = published.status === "wp_draft" ? saidOfStanding(published) : PUBLISHED;
      const description = `${said.description}${siteNote(client, published.projectId)}`;
      toast({ ...said, description, subject: pieceSubject(published.id), ...viewPost(published) });
      cacheContent(client, published);
    },
    onError: (error, { piece }) => {
      if (isRemoteChanged(error)) return;
      const subject = pieceSubject(piece.id);
      const about = ofSite(client, piece.projectId, NO_CREDENTIALS);
      toastError(error, { fallback: "Error publishing to WordPress", ...about, subject });
    },
  });
}

const PUBLISHED = { title: "Success", description: "Content published to WordPress successfully" };

/** The toast's way to the post; there is none while the site shows it to nobody. */
function viewPost({ wpPermalink }: ContentOut): { action?: ToastAction } {
  return wpPermalink ? { action: { label: "View post", href: wpPermalink, newWindow: true } } : {};
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
    mutationFn: (piece: Piece) =>
      withSiteAnswer((site) => api<ContentOut>("POST", `/api/content/${piece.id}/unpublish`, site)),
    onSuccess: (unpublished) => {
      const description = `Content unpublished from WordPress successfully${siteNote(client, unpublished.projectId)}`;
      toast({ title: "Success", description, subject: pieceSubject(unpublished.id) });
      cacheContent(client, unpublished);
    },
    onError: (error, { id, projectId }) => {
      const subject = pieceSubject(id);
      const fallback = "Error unpublishing from WordPress";
      toastError(error, { fallback, ...ofSite(client, projectId, CREDENTIALS_NOT_FOUND), subject });
    },
  });
}

/** Reads the post's status on the site. Text is never copied; the toast says when the site's text differs. */
export function useSyncContent() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: PUBLISHING,
    mutationFn: (piece: Piece) =>
      withSiteAnswer((site) =>
        api<ContentOut & { remoteChanged: boolean }>("POST", `/api/content/${piece.id}/sync`, site),
      ),
    onSuccess: ({ remoteChanged, ...synced }) => {
      const note = remoteChanged ? ". The post was edited there since it was last published from here" : "";
      const description = `Content synced with WordPress successfully${siteNote(client, synced.projectId)}${note}`;
      toast({ title: "Success", description, subject: pieceSubject(synced.id) });
      cacheContent(client, synced);
    },
    onError: (error, { id, projectId }) => {
      const subject = pieceSubject(id);
      const about = ofSite(client, projectId, CREDENTIALS_NOT_FOUND);
      toastError(error, { fallback: "Error syncing with WordPress", ...about, subject });
    },
  });
}

const PAGE_SIZE = 1000;

/** Every publishable piece of a project, all pages of it: select-all means the whole project. */
export function publishableQuery(projectId: number) {
  return queryOptions({
    queryKey: [...keys.projectContent(projectId), "publishable"],
    queryFn: async () => (await allPieces(projectId)).filter(isPublishable),
  });
}

/** All pieces of a project, also those without a text. */
export function allPiecesQuery(projectId: number) {
  return queryOptions({
    queryKey: [...keys.projectContent(projectId), "all"],
    queryFn: () => allPieces(projectId),
  });
}

function allPieces(projectId: number): Promise<ContentSummary[]> {
  return apiList<ContentSummary>(`/api/projects/${projectId}/content?limit=${PAGE_SIZE}`);
}

/** How many pieces of each project are live, ready and failed. */
export function publishingCountsQuery() {
  return queryOptions({
    queryKey: keys.publishingCounts(),
    queryFn: () => api<PublishingCounts[]>("GET", "/api/publishing-counts"),
  });
}

/** A site's categories, by default the default one's. They are refetched on mount when a publish may have added one. */
export function categoriesQuery(siteId?: string) {
  return queryOptions({
    queryKey: siteId === undefined ? keys.categories() : keys.categoriesOf({ siteId }),
    queryFn: () => apiList<CategoryOut>(`/api/wordpress/categories${siteId === undefined ? "" : `?siteId=${siteId}`}`),
    staleTime: 5 * 60_000,
    gcTime: 10 * 60_000,
    refetchOnMount: ({ state }) => state.isInvalidated,
  });
}

const POLL_MS = 1_000;

/**
 * The project's latest publishing job, polled while it runs, and read whenever its screen opens. As specified, not on focus:
 * other tabs report what they start, and Refresh shows what another browser has started.
 */
export function publishingJobQuery(projectId: number) {
  return queryOptions({
    queryKey: keys.publishingJob(projectId),
    queryFn: () => api<LatestPublishingOut>("GET", `/api/projects/${projectId}/publishing-jobs`),
    refetchInterval: ({ state }) => (runningJob(state.data) ? POLL_MS : false),
    refetchOnMount: "always",
  });
}

/** The newest jobs of all projects, polled each second while one of them runs. */
export function publishingJobsQuery() {
  return queryOptions({
    queryKey: keys.publishingJobs(),
    queryFn: () => api<RecentPublishingJob[]>("GET", "/api/publishing-jobs"),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => !isEnded(status)) ? POLL_MS : QUEUE_POLL_MS),
    refetchOnMount: "always",
  });
}

function runningJob(latest: LatestPublishingOut | undefined): PublishingJobOut | null {
  return latest?.job && !isEnded(latest.job.status) ? latest.job : null;
}

/** What became of a job's pieces, page by page; `ended` is the number of those that have ended. */
export function publishingResultsQuery(jobId: string, { status, ended }: { status?: ProcessingStatus; ended: number }) {
  return infiniteQueryOptions({
    queryKey: keys.publishingResults(jobId, { status, ended }),
    queryFn: ({ pageParam }) => apiPage<PublishingResultOut>(pageParam),
    initialPageParam: `/api/publishing-jobs/${jobId}/results${status ? `?status=${status}` : ""}`,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}

/** What is being published of a project, from any screen; `bulk` is what its running job does. */
export type Publishing = { bulk: BulkVerb | null; pieceIds: ReadonlySet<string>; isBusy: boolean };

export function usePublishing(projectId: number): Publishing {
  const { data } = useQuery(publishingJobQuery(projectId));
  const running = useMutationState({
    filters: { mutationKey: PUBLISHING, status: "pending" },
    select: ({ options: { mutationKey }, state: { variables } }) => {
      const [, startedIn] = mutationKey ?? [];
      if (startedIn !== undefined) return { projectId: startedIn, bulk: (variables as StartPublishingInput).verb };
      const piece = pieceOf(variables as PublishOne | Piece | undefined);
      return { projectId: piece?.projectId, pieceId: piece?.id };
    },
  }).filter((each) => each.projectId === projectId);
  const job = runningJob(data);
  return {
    bulk: running.find(({ bulk }) => bulk)?.bulk ?? job?.verb ?? null,
    pieceIds: new Set(running.flatMap(({ pieceId }) => pieceId ?? [])),
    isBusy: running.length > 0 || job !== null,
  };
}

function pieceOf(variables: PublishOne | Piece | undefined): Piece | undefined {
  return variables && "piece" in variables ? variables.piece : variables;
}

/** Publishes, updates or unpublishes many pieces in the background. */
export function useStartPublishing(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [...PUBLISHING, projectId],
    mutationFn: async (input: StartPublishingInput) => {
      const { jobId } = await withSiteAnswer((site) =>
        api<{ jobId: string }>("POST", `/api/projects/${projectId}/publishing-jobs`, { ...input, ...site }),
      );
      follow(client, projectId, jobId);
      await refetchNow(client, keys.publishingJob(projectId));
    },
    onError: (error, { verb }) =>
      toastError(error, {
        fallback: verb === "publish_all" ? "Failed to publish all content" : FAILED[verb],
        ...ofSite(client, projectId, NO_CREDENTIALS),
        subject: runSubject(projectId),
      }),
  });
}

/** Cancels a job: what waits is not begun any more; what is under way finishes. */
export function useCancelPublishing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: PublishingJobOut) => api<PublishingJobOut>("POST", `/api/publishing-jobs/${id}/cancel`),
    // We await this: the pressed button is replaced.
    onSuccess: (_, { projectId }) => refetchNow(client, keys.publishingJob(projectId)),
    onError: (error, { projectId }) =>
      toastError(error, { fallback: "Failed to cancel the job", subject: runSubject(projectId) }),
  });
}

/** Publishes what failed again; `site` answers which site it is. */
export function useRetryPublishing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ job, site }: { job: PublishingJobOut; site?: SiteAnswer }) => {
      await withSiteAnswer((answer = site && { site }) =>
        api<PublishingJobOut>("POST", `/api/publishing-jobs/${job.id}/retry`, answer),
      );
      follow(client, job.projectId, job.id);
      await refetchNow(client, keys.publishingJob(job.projectId));
    },
    onError: (error, { job }) =>
      toastError(error, { fallback: "Failed to try the job again", subject: runSubject(job.projectId) }),
  });
}

/**
 * The projects whose jobs this tab follows. `jobId`: the job whose end it reports; null for one that another tab has begun.
 * `since`: what was read before says nothing of it.
 */
type Followed = ReadonlyMap<number, { jobId: string | null; since: number }>;

function follow(client: QueryClient, projectId: number, jobId: string | null): void {
  client.setQueryData<Followed>(keys.followedPublishing(), (now = new Map()) => {
    const isKnown = now.has(projectId) && (jobId === null || now.get(projectId)?.jobId === jobId);
    return isKnown ? now : new Map(now).set(projectId, { jobId, since: Date.now() });
  });
}

function unfollow(client: QueryClient, projectId: number): void {
  client.setQueryData<Followed>(
    keys.followedPublishing(),
    (now = new Map()) => new Map([...now].filter(([id]) => id !== projectId)),
  );
}

/** The projects whose jobs this tab follows, also those that another tab has begun; see useReportPublishing. */
export function useFollowedPublishing(): number[] {
  const client = useQueryClient();
  useEffect(
    () =>
      onChanges(client, (changes) => {
        for (const { noun, projectId } of changes) {
          if (noun === "publishing" && projectId !== undefined) follow(client, projectId, null);
        }
      }),
    [client],
  );
  return [...(useQueryData<Followed>(keys.followedPublishing())?.keys() ?? [])];
}

/** The project's latest job. If it is running, this tab follows it to its end. */
export function useFollowPublishing(projectId: number): LatestPublishingOut | undefined {
  const client = useQueryClient();
  const { data } = useQuery(publishingJobQuery(projectId));
  const runningId = runningJob(data)?.id ?? null;
  useEffect(() => {
    if (runningId) follow(client, projectId, runningId);
  }, [client, projectId, runningId]);
  return data;
}

/**
 * Reports the end of a job, whichever screen the user is on by then, and reads again what it has changed. While it runs only
 * its progress is read: a project has thousands of rows. What opens meanwhile reads its rows again.
 */
export function useReportPublishing(projectId: number): void {
  const client = useQueryClient();
  const { data, dataUpdatedAt, error } = useQuery(publishingJobQuery(projectId));
  const isGone = isNotFound(error);
  const followed = useQueryData<Followed>(keys.followedPublishing())?.get(projectId);
  useEffect(() => {
    if (isGone) return unfollow(client, projectId);
    if (!data || !followed || dataUpdatedAt < followed.since) return;
    const { job } = data;
    if (!job) return unfollow(client, projectId);
    if (!isEnded(job.status)) return markOutdated(client, publishingChanges(job));
    invalidate(client, publishingChanges(job));
    unfollow(client, projectId);
    if (job.id === followed.jobId) toastEnd(client, job);
  }, [client, projectId, data, dataUpdatedAt, followed, isGone]);
}

/** The topic's name as the category. It is never made up: the server knows a name that is missing here. */
export function categoryOfTopic(topicName: string | undefined): { categoryName: string } | { byTopic: true } {
  return topicName ? { categoryName: topicName } : { byTopic: true };
}

/** Shows one toast for the whole job. */
function toastEnd(client: QueryClient, job: PublishingJobOut): void {
  const { projectId, verb, error, errorType } = job;
  const subject = runSubject(projectId);
  if (job.completedItems === 0 && error && errorType) {
    const failure = new ApiError(0, error, true, errorType);
    toastError(failure, { fallback: FAILED[verb], ...ofSite(client, projectId, NO_CREDENTIALS), subject });
    return;
  }
  const said = saidOfEnd(job);
  toast({ ...said, description: `${said.description}${siteNote(client, projectId)}`, subject });
}

function runSubject(projectId: number): string {
  return `publishing:${projectId}`;
}
