import type { LibraryFilters } from "@/lib/features/content/client";
import { CONTENT_STATUSES, SEARCH_MAX } from "@/lib/features/content/rules";
import { idOf } from "@/lib/utils/ids";

/** The filters an address asks for; what it asks wrongly is left out. */
export function filtersOf({ search, projectId, status }: Record<string, unknown>): LibraryFilters {
  return withoutBlanks({
    search: typeof search === "string" && search.length <= SEARCH_MAX ? search.trim() : undefined,
    projectId: idOf(projectId),
    status: CONTENT_STATUSES.find((known) => known === status),
  });
}

/** The filters as an address has them, with its question mark; empty without any. */
export function addressOf(filters: LibraryFilters): string {
  const entries = Object.entries(withoutBlanks(filters)).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(entries).toString();
  return query ? `?${query}` : "";
}

/** Absent rather than undefined, so that equal filters are equal keys. */
function withoutBlanks(filters: { [K in keyof LibraryFilters]: LibraryFilters[K] | undefined }): LibraryFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ""));
}
