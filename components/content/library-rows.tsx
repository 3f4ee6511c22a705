"use client";

import { type InfiniteData, notifyManager, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { LibraryTopic, TopicRows } from "@/components/content/library-items";
import { usePendingEdits } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import { type LibraryFilters, libraryRowsQuery } from "@/lib/features/content/client";
import type { ContentSummary } from "@/lib/features/content/schema";

type Pages = InfiniteData<{ items: ContentSummary[]; next: string | null }>;

/** Returns each topic's rows in the query cache. The function is a new one whenever they have changed. */
export function useLibraryRows(filters: LibraryFilters): (topic: LibraryTopic) => TopicRows | undefined {
  const client = useQueryClient();
  const withPending = usePendingEdits();
  const changes = useRef(0);
  const listen = useCallback(
    (changed: () => void) => {
      const notify = notifyManager.batchCalls(changed);
      return client.getQueryCache().subscribe(({ type, query }) => {
        // Observer events are ignored: rendering adds observers, and would cause another render.
        if (type !== "updated" && type !== "removed") return;
        if (query.queryKey[0] !== keys.allLibrary()[0]) return;
        changes.current += 1;
        notify();
      });
    },
    [client],
  );
  const version = useSyncExternalStore(
    listen,
    () => changes.current,
    () => 0,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for what the cache holds.
  return useMemo(
    () => (topic: LibraryTopic) => {
      const { queryKey } = libraryRowsQuery(filters, topic.projectId, topic.topicId);
      const state = client.getQueryState<Pages>(queryKey);
      const pages = withPending(queryKey, state?.data)?.pages ?? [];
      const hasFailed = state?.status === "error";
      if (!state?.data && !hasFailed) return undefined;
      return { pieces: pages.flatMap(({ items }) => items), hasMore: Boolean(pages.at(-1)?.next), hasFailed };
    },
    [client, filters, withPending, version],
  );
}

/** Keeps a topic's rows loaded and fresh while it is near the viewport. `wantsMore` loads the next page. */
export function RowLoader({
  filters,
  topic,
  wantsMore,
}: {
  filters: LibraryFilters;
  topic: LibraryTopic;
  wantsMore: boolean;
}) {
  const rows = useInfiniteQuery(libraryRowsQuery(filters, topic.projectId, topic.topicId));
  const { hasNextPage, isFetching, isError, fetchNextPage } = rows;
  useEffect(() => {
    if (wantsMore && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [wantsMore, hasNextPage, isFetching, isError, fetchNextPage]);
  return null;
}
