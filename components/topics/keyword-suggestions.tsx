"use client";

import { ChevronDown, ChevronUp, Plus, Sparkles } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { afterRender, rememberFocus } from "@/components/shared/focus-return";
import { type SuggestionState, useSuggestionState } from "@/components/topics/suggestion-state";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useAutoAddKeywords, useSuggestKeywords } from "@/lib/features/generation/client/mutations";
import { SUGGESTED_KEYWORDS } from "@/lib/features/generation/rules";
import { useAddSuggestedKeywords } from "@/lib/features/topics/client";
import { MAX_SUGGESTED } from "@/lib/features/topics/rules";
import type { TopicOut } from "@/lib/features/topics/schema";

type Suggestions = {
  buttons: ReactNode;
  /** The list on screen, which takes its place as soon as it is asked for, or null while it is hidden. */
  shown: string[] | null;
  isAddingAll: boolean;
  pending: SuggestionState["pending"];
  add: (keyword: string) => void;
  addAll: () => void;
  /** Appends more suggestions to the list. */
  suggest: () => void;
};

/** "Auto-Add Keywords", "Show Suggestions" and the list of suggestions. */
export function useSuggestions(topic: TopicOut): Suggestions {
  const [{ list, isOpen, pending, adding, isAddingAll }, update] = useSuggestionState(topic.id);
  const autoAddMutation = useAutoAddKeywords(topic);
  const suggestMutation = useSuggestKeywords(topic.id);
  const addMutation = useAddSuggestedKeywords(topic);
  const toggleButton = useRef<HTMLButtonElement>(null);
  const visible = list.filter((keyword) => !adding.includes(keyword));
  // The list closes with its last keyword, and opens again if the server rejects that one.
  const isShown = isOpen && (visible.length > 0 || list.length === 0);

  function toggle() {
    if (isShown || list.length > 0) update(() => ({ isOpen: !isShown }));
    else suggest();
  }

  // The mutations show their own toasts. Callbacks of `mutate` would be lost when the topic is closed; promises are not.

  function suggest() {
    if (pending) return;
    update(() => ({ pending: "suggestions" }));
    suggestMutation
      .mutateAsync()
      .then(({ keywords }) => append(keywords))
      .catch(() => undefined)
      .finally(() => update(() => ({ pending: null })));
  }

  /** In one step with the end of waiting: the keywords take the place of the placeholders. */
  function append(keywords: string[]) {
    update((now) => ({ list: [...new Set([...now.list, ...keywords])], isOpen: true, pending: null }));
  }

  function autoAdd() {
    if (pending) return;
    update(() => ({ pending: "auto-add" }));
    autoAddMutation
      .mutateAsync()
      .then(({ saved, keywords }) => (saved ? undefined : append(keywords)))
      .catch(() => undefined)
      .finally(() => update(() => ({ pending: null })));
  }

  /** Hides the keyword at once; if the call fails, it is back in its place. */
  function add(keyword: string) {
    const restoreFocus = visible.length === 1 ? focusToggle : rememberFocus();
    update((now) => ({ adding: [...now.adding, keyword] }));
    afterRender(restoreFocus);
    addMutation
      .mutateAsync({ keywords: [keyword] })
      .then(() => remove([keyword]))
      .catch(() => undefined)
      .finally(() => update((now) => ({ adding: now.adding.filter((each) => each !== keyword) })));
  }

  function addAll() {
    if (isAddingAll) return;
    const all = visible.slice(0, MAX_SUGGESTED);
    update(() => ({ isAddingAll: true }));
    addMutation
      .mutateAsync({ keywords: all })
      .then(() => {
        remove(all);
        // The pressed button is unmounted with the list.
        if (all.length === visible.length) afterRender(focusToggle);
      })
      .catch(() => undefined)
      .finally(() => update(() => ({ isAddingAll: false })));
  }

  function remove(added: string[]) {
    update((now) => {
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
        pending={pending === "auto-add"}
        disabled={pending === "suggestions"}
        onClick={autoAdd}
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
        pending={pending === "suggestions"}
        disabled={pending === "auto-add"}
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
  const isAwaited = pending === "suggestions" && list.length === 0;
  return { buttons, shown: isShown || isAwaited ? visible : null, isAddingAll, pending, add, addAll, suggest };
}

/** The suggestions, to add one by one or all at once. */
export function KeywordSuggestions({
  keywords,
  suggestions: { isAddingAll, pending, add, addAll, suggest },
}: {
  keywords: string[];
  suggestions: Suggestions;
}) {
  const isAwaited = pending === "suggestions";
  return (
    <section aria-label="Suggested keywords" className="mt-4 rounded-md bg-muted p-2 pt-3">
      <div className="mb-1 flex flex-wrap items-center justify-end gap-2 px-2">
        <p role="status" className="text-muted-foreground text-sm max-md:basis-full md:flex-1">
          {keywords.length > 0
            ? `${keywords.length} suggestion${keywords.length === 1 ? "" : "s"}`
            : isAwaited
              ? "Suggestions are on their way"
              : "No new keywords were found."}
        </p>
        <Button
          variant="ghost"
          size="sm"
          pending={isAwaited}
          disabled={pending === "auto-add" || isAddingAll}
          onClick={suggest}
        >
          Suggest More
        </Button>
        {keywords.length > 0 ? (
          <Button variant="outline" size="sm" pending={isAddingAll} onClick={addAll}>
            Add All
          </Button>
        ) : null}
      </div>
      <ul className="grid gap-x-2 md:grid-cols-2">
        {keywords.map((keyword) => (
          <li key={keyword}>
            <button
              type="button"
              aria-label={`Add ${keyword}`}
              disabled={isAddingAll}
              onClick={() => add(keyword)}
              className="group flex min-h-9 w-full items-center gap-3 rounded-sm px-2 py-1 text-left hover:bg-hover disabled:cursor-not-allowed disabled:text-muted-foreground max-md:min-h-11"
            >
              <span className="flex shrink-0 items-center gap-1.5 text-muted-foreground text-sm group-hover:text-link">
                <Plus aria-hidden="true" className="size-4 stroke-[1.75]" />
                Add
              </span>
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {keyword}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isAwaited ? <Placeholders /> : null}
    </section>
  );
}

/** The rows that will come, so that nothing below moves when they do. */
function Placeholders() {
  return (
    <div aria-hidden="true" className="grid gap-x-2 md:grid-cols-2">
      {PLACEHOLDERS.map((row) => (
        <div key={row} className="flex h-9 items-center px-2 max-md:h-11">
          <Skeleton className="h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}

const PLACEHOLDERS = Array.from({ length: SUGGESTED_KEYWORDS }, (_, row) => `row ${row}`);
