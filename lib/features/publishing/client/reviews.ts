import { type QueryClient, queryOptions, type UseQueryResult, useQueries, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { inChunks, MAX_REVIEWED } from "@/lib/features/publishing/rules";
import type { ReviewOut } from "@/lib/features/publishing/schema";

/** Calls for the same pieces: each works for some seconds. */
const MAX_CALLS = 4;

/**
 * The reviews of these pieces, by id. With `shown`, `ids` are those of a whole table, of which only pages with a piece in `shown`
 * are asked for.
 */
export function useReviews(ids: string[], shown?: ReadonlySet<string>): Reviews {
  const client = useQueryClient();
  const pages = useMemo(() => inChunks(ids, MAX_REVIEWED), [ids]);
  return useQueries({
    queries: pages
      .filter((page) => !shown || page.some((id) => shown.has(id)))
      .map((page) => ({ ...reviewsQuery(page), initialData: () => knownReviews(client, page) })),
    combine: together,
  });
}

/** The reviews of these pieces, if lists on the screen have them all. */
function knownReviews(client: QueryClient, ids: string[]): ReviewOut[] | undefined {
  const known = client
    .getQueryCache()
    .findAll({ queryKey: [keys.allReviews()[0]] })
    .filter(({ state }) => !state.isInvalidated)
    .flatMap(({ state }) => (state.data as ReviewOut[] | undefined) ?? []);
  const byId = new Map(known.map((review) => [review.id, review]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  return found.length === ids.length ? found : undefined;
}

export type Reviews = { reviews: ReadonlyMap<string, ReviewOut>; isPending: boolean };

function together(pages: UseQueryResult<ReviewOut[]>[]): Reviews {
  return {
    reviews: new Map(pages.flatMap(({ data = [] }) => data.map((review) => [review.id, review]))),
    isPending: pages.some(({ isPending }) => isPending),
  };
}

function reviewsQuery(ids: string[]) {
  return queryOptions({
    queryKey: keys.reviews({ ids: ids.join(",") }),
    queryFn: ({ signal }) => reviewAll(ids, signal),
  });
}

/**
 * The pieces of its project that compete with this one, as it is stored. They are asked for when its title or keyword changes, not
 * at each save: that would review its whole text again.
 */
export function rivalsQuery({ id, title, focusKeyword }: { id: string; title: string; focusKeyword: string | null }) {
  return queryOptions({
    queryKey: [{ rivalsOf: id, title, focusKeyword }],
    queryFn: async ({ signal }) => (await reviewAll([id], signal))[0]?.rivals ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { isStaleHarmless: true },
  });
}

/** Asks again for pieces that were left out, as long as an answer has some. What is not known is in none. */
async function reviewAll(ids: string[], signal: AbortSignal): Promise<ReviewOut[]> {
  const reviews: ReviewOut[] = [];
  let left = ids;
  for (let calls = 0; calls < MAX_CALLS && left.length > 0; calls++) {
    const url = `${keys.allReviews()[0]}?ids=${left.join(",")}`;
    const found = await api<ReviewOut[]>("GET", url, undefined, { signal }).catch(() => []);
    if (found.length === 0) break;
    reviews.push(...found);
    const reviewed = new Set(found.map(({ id }) => id));
    left = left.filter((id) => !reviewed.has(id));
  }
  return reviews;
}
