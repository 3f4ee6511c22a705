"use client";

import { ChevronDown, ChevronUp, Plus, Sparkles } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { type SuggestionState, useSuggestionState } from "@/components/topics/suggestion-state";
import { Button } from "@/components/ui/button";
import { onceDrawn, rememberFocus } from "@/components/ui/focus-return";
import { useAutoAddKeywords, useSuggestKeywords } from "@/lib/features/generation/client";
import { useAddSuggestedKeywords } from "@/lib/features/topics/client";
import { MAX_SUGGESTED } from "@/lib/features/topics/rules";
import type { TopicOut } from "@/lib/features/topics/schema";

type Suggestions = {
  buttons: ReactNode;
  /** The list on screen, or null while it is hidden. */
  shown: string[] | null;
  isAddingAll: boolean;
  asking: SuggestionState["asking"];
  add: (keyword: string) => void;
  addAll: () => void;
  /** Asks for more, which go under those that are there. */
  ask: () => void;
};

/** The two ways to let the AI find keywords, and the list that the second one opens. */
export function useSuggestions(topic: TopicOut): Suggestions {
  const [{ list, isOpen, asking, waiting, isAddingAll }, change] = useSuggestionState(topic.id);
  const autoAdd = useAutoAddKeywords(topic);
  const suggest = useSuggestKeywords(topic.id);
  const addSuggested = useAddSuggestedKeywords(topic);
  const toggleButton = useRef<HTMLButtonElement>(null);
  const left = list.filter((keyword) => !waiting.includes(keyword));
  // With the last one the list closes; it is there again should the server refuse that one.
  const isShown = isOpen && (left.length > 0 || list.length === 0);

  function toggle() {
    if (isShown || list.length > 0) change(() => ({ isOpen: !isShown }));
    else ask();
  }

  // The calls report their own failures. Promises, not callbacks of `mutate`, which are lost when the topic is closed.

  function ask() {
    if (asking) return;
    change(() => ({ asking: "suggestions" }));
    suggest
      .mutateAsync()
      .then(({ keywords }) => enlist(keywords))
      .catch(() => undefined)
      .finally(() => change(() => ({ asking: null })));
  }

  function enlist(keywords: string[]) {
    change((now) => ({ list: [...new Set([...now.list, ...keywords])], isOpen: true }));
  }

  function askAndAdd() {
    if (asking) return;
    change(() => ({ asking: "auto-add" }));
    autoAdd
      .mutateAsync()
      .then(({ saved, keywords }) => (saved ? undefined : enlist(keywords)))
      .catch(() => undefined)
      .finally(() => change(() => ({ asking: null })));
  }

  /** Out of the list at once; back in its place by its failure. */
  function add(keyword: string) {
    const giveFocusBack = left.length === 1 ? focusToggle : rememberFocus();
    change((now) => ({ waiting: [...now.waiting, keyword] }));
    onceDrawn(giveFocusBack);
    addSuggested
      .mutateAsync({ keywords: [keyword] })
      .then(() => drop([keyword]))
      .catch(() => undefined)
      .finally(() => change((now) => ({ waiting: now.waiting.filter((each) => each !== keyword) })));
  }

  function addAll() {
    if (isAddingAll) return;
    const all = left.slice(0, MAX_SUGGESTED);
    change(() => ({ isAddingAll: true }));
    addSuggested
      .mutateAsync({ keywords: all })
      .then(() => {
        drop(all);
        // The button that was pressed goes with the list.
        if (all.length === left.length) onceDrawn(focusToggle);
      })
      .catch(() => undefined)
      .finally(() => change(() => ({ isAddingAll: false })));
  }

  function drop(added: string[]) {
    change((now) => {
      const list = now.list.filter((keyword) => !added.includes(keyword));
      return { list, isOpen: now.isOpen && list.length > 0 };
    });
  }

  function focusToggle() {
    toggleButton.current?.focus();
  }

  const buttons = (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="max-md:flex-1 max-md:border-border-strong max-md:px-2"
        pending={asking === "auto-add"}
        disabled={asking === "suggestions"}
        onClick={askAndAdd}
      >
        <Sparkles aria-hidden="true" className="max-md:hidden" />
        Auto-Add Keywords
      </Button>
      <Button
        ref={toggleButton}
        variant="outline"
        size="sm"
        className="max-md:flex-1 max-md:px-2"
        aria-expanded={isShown}
        pending={asking === "suggestions"}
        disabled={asking === "auto-add"}
        onClick={toggle}
      >
        {isShown ? (
          <ChevronUp aria-hidden="true" className="max-md:hidden" />
        ) : (
          <ChevronDown aria-hidden="true" className="max-md:hidden" />
        )}
        {isShown ? "Hide Suggestions" : "Show Suggestions"}
      </Button>
    </>
  );
  return { buttons, shown: isShown ? left : null, isAddingAll, asking, add, addAll, ask };
}

/** Suggestions to choose from: each added by itself, or all at once. */
export function KeywordSuggestions({
  keywords,
  suggestions: { isAddingAll, asking, add, addAll, ask },
}: {
  keywords: string[];
  suggestions: Suggestions;
}) {
  return (
    <section aria-label="Suggested keywords" className="mt-4 rounded-md bg-muted py-3 pr-2 pl-4">
      <div className="mb-1 flex flex-wrap items-center justify-end gap-2 pr-2">
        <p role="status" className="text-muted-foreground text-sm max-md:basis-full md:flex-1">
          {keywords.length === 0
            ? "No new keywords were found."
            : `${keywords.length} suggestion${keywords.length === 1 ? "" : "s"}`}
        </p>
        <Button
          variant="ghost"
          size="sm"
          pending={asking === "suggestions"}
          disabled={asking === "auto-add" || isAddingAll}
          onClick={ask}
        >
          Suggest More
        </Button>
        {keywords.length > 0 ? (
          <Button variant="outline" size="sm" pending={isAddingAll} onClick={addAll}>
            Add All
          </Button>
        ) : null}
      </div>
      <ul className="grid gap-x-6 md:grid-cols-2">
        {keywords.map((keyword) => (
          <li key={keyword} className="flex min-h-9 items-center gap-2">
            <span dir="auto" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {keyword}
            </span>
            <Button
              variant="ghost"
              size="sm"
              aria-label={`Add ${keyword}`}
              disabled={isAddingAll}
              onClick={() => add(keyword)}
            >
              <Plus aria-hidden="true" />
              Add
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
