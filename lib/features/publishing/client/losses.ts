import { queryOptions, type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { inChunks, MAX_COUNTED } from "@/lib/features/publishing/rules";
import type { LossCount } from "@/lib/features/publishing/schema";

/** Calls for the same pieces: each counts for some seconds. */
const MAX_CALLS = 4;

/**
 * How much readers will not get of the texts of these pieces, by id. `ids` are those of a whole table; only pages of it with a
 * piece in `shown` are asked for.
 */
export function useLossCounts(ids: string[], shown: ReadonlySet<string>): ReadonlyMap<string, number> {
  const pages = useMemo(() => inChunks(ids, MAX_COUNTED), [ids]);
  return useQueries({
    queries: pages.filter((page) => page.some((id) => shown.has(id))).map(lossCountsQuery),
    combine: byId,
  });
}

function byId(pages: UseQueryResult<LossCount[]>[]): ReadonlyMap<string, number> {
  return new Map(pages.flatMap(({ data = [] }) => data.map(({ id, count }) => [id, count])));
}

function lossCountsQuery(ids: string[]) {
  return queryOptions({
    queryKey: keys.losses({ ids: ids.join(",") }),
    queryFn: ({ signal }) => countAll(ids, signal),
  });
}

/** Asks again for pieces that were left out, as long as an answer has some. What is not known is in none. */
async function countAll(ids: string[], signal: AbortSignal): Promise<LossCount[]> {
  const counts: LossCount[] = [];
  let left = ids;
  for (let calls = 0; calls < MAX_CALLS && left.length > 0; calls++) {
    const url = `${keys.allLosses()[0]}?ids=${left.join(",")}`;
    const found = await api<LossCount[]>("GET", url, undefined, { signal }).catch(() => []);
    if (found.length === 0) break;
    counts.push(...found);
    const counted = new Set(found.map(({ id }) => id));
    left = left.filter((id) => !counted.has(id));
  }
  return counts;
}
