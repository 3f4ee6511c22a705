import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import type { SearchHits } from "@/lib/features/search/schema";

/** The projects, topics and pieces that fit the text best; without one, the newest. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: keys.search(text),
    // Reading `signal` aborts a search that a newer one has replaced.
    queryFn: ({ signal }) =>
      api<SearchHits>("GET", `/api/search${text ? `?${new URLSearchParams({ text })}` : ""}`, undefined, { signal }),
  });
}
