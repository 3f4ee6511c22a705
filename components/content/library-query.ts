import type { LibraryFilters } from "@/lib/features/content/client";
import { SEARCH_MAX } from "@/lib/features/content/rules";
import { CONTENT_STATUSES } from "@/lib/features/content/states";
import { PIECE_STEPS } from "@/lib/features/topics/rules";
import { parseIntId } from "@/lib/utils/ids";
import { normalizeText } from "@/lib/utils/text";

/** The filters in an address, without invalid ones. */
export function filtersOf({
  search,
  projectId,
  topicId,
  status,
  step,
  newerHere,
}: Record<string, unknown>): LibraryFilters {
  return withoutBlanks({
    search: searchOf(search),
    projectId: parseIntId(projectId),
    topicId: parseIntId(topicId),
    status: CONTENT_STATUSES.find((known) => known === status),
    step: PIECE_STEPS.find((known) => known === step),
    newerHere: newerHere === "true" ? newerHere : undefined,
  });
}

/** Returns the search as the API accepts it, or undefined. */
function searchOf(search: unknown): string | undefined {
  if (typeof search !== "string" || search.length > SEARCH_MAX) return undefined;
  const read = normalizeText(search.trim(), SEARCH_MAX);
  return "text" in read ? read.text : undefined;
}

/** The filters as a query string with its question mark; empty without any. */
export function addressOf(filters: LibraryFilters): string {
  const entries = Object.entries(withoutBlanks(filters)).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(entries).toString();
  return query ? `?${query}` : "";
}

/** Leaves blank filters out instead of undefined, so that equal filters are equal keys. */
function withoutBlanks(filters: { [K in keyof LibraryFilters]: LibraryFilters[K] | undefined }): LibraryFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ""));
}
