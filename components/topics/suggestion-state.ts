"use client";

import { useQueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/client/query-keys";
import { useCached } from "@/lib/client/use-cached";

/** What the AI has suggested for a topic, and what is under way. */
export type SuggestionState = {
  list: readonly string[];
  isOpen: boolean;
  asking: "suggestions" | "auto-add" | null;
  /** Being added: out of sight until the answer. */
  waiting: readonly string[];
  isAddingAll: boolean;
};

const NONE: SuggestionState = { list: [], isOpen: false, asking: null, waiting: [], isAddingAll: false };

/**
 * Kept beside the person's data, because suggestions cost money: they stay when the topic is closed or the screen is left,
 * and so does what was asked for. They go with the tab, and when somebody else signs in.
 */
export function useSuggestionState(
  topicId: number,
): [SuggestionState, (update: (now: SuggestionState) => Partial<SuggestionState>) => void] {
  const client = useQueryClient();
  const state = useCached<SuggestionState>(keys.suggestions(topicId)) ?? NONE;

  function change(update: (now: SuggestionState) => Partial<SuggestionState>) {
    // Nothing watches it as a query.
    client.setQueryDefaults(keys.allSuggestions(), { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData<SuggestionState>(keys.suggestions(topicId), (now = NONE) => ({ ...now, ...update(now) }));
  }

  return [state, change];
}
