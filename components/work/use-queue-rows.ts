import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { withFurther } from "@/components/work/queue-view";
import { queueItemsQuery } from "@/lib/features/work/client";
import type { JobType, QueueGroup, QueueItemOut } from "@/lib/features/work/schema";

export type QueueRows = {
  rows: QueueItemOut[];
  /** Loads the next rows, once however often it is called; absent when all are here. */
  loadMore: (() => void) | undefined;
  isFetching: boolean;
  /** The next rows did not load. */
  error: Error | null;
};

/** The rows of one state of a queue: the `first` ones, which the status has, and further pages once they are wanted. */
export function useQueueRows(kind: JobType, group: QueueGroup, first: QueueItemOut[], total: number): QueueRows {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...queueItemsQuery(kind, group),
    enabled: isWanted,
  });
  const rows = useMemo(() => withFurther(first, data?.pages.flatMap(({ items }) => items) ?? []), [first, data]);
  const hasMore = rows.length < total && (!data || hasNextPage);

  function loadMore() {
    if (!isWanted) setWanted(true);
    else void fetchNextPage({ cancelRefetch: false });
  }

  return { rows, loadMore: hasMore ? loadMore : undefined, isFetching, error };
}
