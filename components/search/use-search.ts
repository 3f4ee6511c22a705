"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { matching } from "@/components/projects/use-project-search";
import { groupsOf, type HitGroup, topicGroups } from "@/components/search/groups";
import { useDebounced } from "@/components/shared/use-debounced";
import { errorText } from "@/lib/client/api";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";
import { librarySearchQuery } from "@/lib/features/content/client";
import type { ListedProject } from "@/lib/features/projects/schema";
import { searchQuery } from "@/lib/features/search/client";
import { rankOf } from "@/lib/features/search/rules";
import type { SearchHits } from "@/lib/features/search/schema";

const NOTHING: SearchHits = { projects: [], topics: [], pieces: [] };

/** What is found for the typed text: screens, actions and known projects at once, the rest when typing pauses. */
export function useSearch(text: string, wanted: "everything" | "topic") {
  const typed = text.trim();
  const search = useDebounced(typed);
  const titles = useQuery({ ...searchQuery(search), placeholderData: keepPreviousData });
  const texts = useOptimisticQuery({
    ...librarySearchQuery(search),
    enabled: search !== "" && wanted === "everything",
    placeholderData: keepPreviousData,
  });
  const loaded = useQueryData<ListedProject[]>(keys.projects());
  const found = titles.data ?? NOTHING;
  // The last answer may be about another text, which a description has.
  const isCurrent = typed === search && !titles.isPlaceholderData;
  const projects = found.projects.filter(({ title }) => isCurrent || rankOf(title, typed) !== undefined);
  const hits = { ...found, projects: joined(loaded ? matching(loaded, typed) : [], projects) };
  const groups: HitGroup[] =
    wanted === "topic"
      ? topicGroups(typed, found.topics)
      : groupsOf(typed, hits, search === "" ? [] : (texts.data ?? []));
  return {
    groups,
    isSearching: typed !== search || titles.isFetching || texts.isFetching,
    error: failureOf(titles.error, "Failed to search") ?? failureOf(texts.error, "Error fetching content"),
  };
}

type Project = SearchHits["projects"][number];

function joined(loaded: Project[], found: Project[]): Project[] {
  const known = new Set(loaded.map(({ id }) => id));
  return [...loaded, ...found.filter(({ id }) => !known.has(id))];
}

function failureOf(error: Error | null, fallback: string): string | null {
  return error && errorText(error, fallback);
}
