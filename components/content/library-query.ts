import type { LibraryFilters } from "@/lib/features/content/client";
import { contentGroupsQuery } from "@/lib/features/content/schema";

/** The filters an address asks for; what it asks wrongly is left out. */
export function filtersOf(params: Record<string, unknown>): LibraryFilters {
  const { search, projectId, status } = contentGroupsQuery.shape;
  return withoutBlanks({
    search: search.safeParse(params.search).data?.trim(),
    projectId: projectId.safeParse(params.projectId).data,
    status: status.safeParse(params.status).data,
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
