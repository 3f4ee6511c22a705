import type { LibraryFilters } from "@/lib/features/content/client";
import { SEARCH_MAX } from "@/lib/features/content/rules";
import { CONTENT_STATUSES } from "@/lib/features/content/states";
import { idOf } from "@/lib/utils/ids";
import { readText } from "@/lib/utils/text";

/** The filters an address asks for; what it asks wrongly is left out. */
export function filtersOf({ search, projectId, status }: Record<string, unknown>): LibraryFilters {
  return withoutBlanks({
    search: searchOf(search),
    projectId: idOf(projectId),
    status: CONTENT_STATUSES.find((known) => known === status),
  });
}

/** As the API takes it. */
function searchOf(search: unknown): string | undefined {
  if (typeof search !== "string" || search.length > SEARCH_MAX) return undefined;
  const read = readText(search.trim(), SEARCH_MAX);
  return "text" in read ? read.text : undefined;
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
