"use client";

import { useQueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";

/** A topic's keyword suggestions, and the calls about them. */
export type SuggestionState = {
  list: readonly string[];
  isOpen: boolean;
  pending: "suggestions" | "auto-add" | null;
  /** Keywords that are hidden while they are being added. */
  adding: readonly string[];
  isAddingAll: boolean;
};

const NONE: SuggestionState = { list: [], isOpen: false, pending: null, adding: [], isAddingAll: false };

/**
 * Held in the query cache, because suggestions cost money: they and pending calls outlive the topic and the screen, until
 * the tab is closed or another user signs in.
 */
export function useSuggestionState(
  topicId: number,
): [SuggestionState, (update: (now: SuggestionState) => Partial<SuggestionState>) => void] {
  const client = useQueryClient();
  const state = useQueryData<SuggestionState>(keys.suggestions(topicId)) ?? NONE;

  function setState(update: (now: SuggestionState) => Partial<SuggestionState>) {
    client.setQueryData<SuggestionState>(keys.suggestions(topicId), (now = NONE) => ({ ...now, ...update(now) }));
  }

  return [state, setState];
}
