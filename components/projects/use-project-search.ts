"use client";

import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/components/shared/use-debounced";
import { projectSearchQuery } from "@/lib/features/projects/client";
import type { ListedProject } from "@/lib/features/projects/schema";

/**
 * Those of the loaded projects, which are all, with this text in their title or description, newest first: at once where
 * the loaded part has it, and when typing pauses those the server finds in whole descriptions.
 */
export function useProjectSearch(text: string, loaded: ListedProject[]) {
  const typed = text.trim();
  const search = useDebounced(typed);
  const isNeeded = search !== "";
  const answer = useQuery({ ...projectSearchQuery(search), enabled: isNeeded });
  // While typing goes on, the last answer is about another text.
  const isCurrent = typed === search;
  const found = isCurrent && isNeeded ? answer.data : undefined;
  return {
    projects: newestFirst(matching(loaded, typed), found ?? []),
    isSearching: isCurrent ? isNeeded && answer.isPending : typed !== "",
    error: isCurrent && isNeeded ? answer.error : null,
    isRetrying: answer.isFetching,
    retry: () => void answer.refetch(),
  };
}

/** Projects whose title or shown description contains the text, in any case. */
export function matching(projects: ListedProject[], text: string): ListedProject[] {
  const needle = text.normalize("NFC").toLowerCase();
  return projects.filter(({ title, description }) => `${title}\n${description ?? ""}`.toLowerCase().includes(needle));
}

/** Joins both lists, with each project once. */
function newestFirst(loaded: ListedProject[], found: ListedProject[]): ListedProject[] {
  const known = new Set(loaded.map(({ id }) => id));
  const others = found.filter(({ id }) => !known.has(id));
  if (others.length === 0) return loaded;
  return [...loaded, ...others].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id);
}
