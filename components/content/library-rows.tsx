"use client";

import { type InfiniteData, notifyManager, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { LibraryTopic, TopicRows } from "@/components/content/library-items";
import { keys } from "@/lib/client/query-keys";
import { type LibraryFilters, libraryRowsQuery } from "@/lib/features/content/client";
import type { ContentSummary } from "@/lib/features/content/schema";

type Pages = InfiniteData<{ items: ContentSummary[]; next: string | null }>;

/** What the cache holds of each topic's rows. The function is another one whenever that has changed. */
export function useLibraryRows(filters: LibraryFilters): (topic: LibraryTopic) => TopicRows | undefined {
  const client = useQueryClient();
  const changes = useRef(0);
  const listen = useCallback(
    (changed: () => void) => {
      const tell = notifyManager.batchCalls(changed);
      return client.getQueryCache().subscribe(({ type, query }) => {
        // Not its observers: drawing makes some, and would be told to draw again.
        if (type !== "updated" && type !== "removed") return;
        if (query.queryKey[0] !== keys.allLibrary()[0]) return;
        changes.current += 1;
        tell();
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
      const pages = state?.data?.pages;
      const hasFailed = state?.status === "error" || Boolean(state?.error);
      if (!pages) return hasFailed ? { pieces: [], hasMore: true, hasFailed } : undefined;
      return { pieces: pages.flatMap(({ items }) => items), hasMore: Boolean(pages.at(-1)?.next), hasFailed };
    },
    [client, filters, version],
  );
}

/** Keeps a topic's rows loaded and fresh while it is near the window; `wantsMore` when the end of the loaded ones is. */
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
