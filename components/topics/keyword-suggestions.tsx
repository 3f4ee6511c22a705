"use client";

import { ChevronDown, ChevronUp, Plus, Sparkles } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
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
  /** Takes suggestions that were added out of the list. */
  drop: (added: string[]) => void;
};

/** The two ways to let the AI find keywords, and the list that the second one opens. */
export function useSuggestions(topic: TopicOut): Suggestions {
  const [{ list, isOpen }, setState] = useState<{ list: string[]; isOpen: boolean }>({ list: [], isOpen: false });
  const autoAdd = useAutoAddKeywords(topic);
  const suggest = useSuggestKeywords(topic.id);
  const toggleButton = useRef<HTMLButtonElement>(null);

  function toggle() {
    if (isOpen || list.length > 0) setState({ list, isOpen: !isOpen });
    else suggest.mutate(undefined, { onSuccess: ({ keywords }) => open(keywords) });
  }

  function open(keywords: string[]) {
    setState({ list: [...new Set(keywords)], isOpen: true });
  }

  function drop(added: string[]) {
    setState((now) => {
      const left = now.list.filter((keyword) => !added.includes(keyword));
      return { list: left, isOpen: now.isOpen && left.length > 0 };
    });
    // The list may be gone in the next frame, with the button that was pressed in it.
    if (added.length === list.length) onceDrawn(() => toggleButton.current?.focus());
  }

  const buttons = (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="max-md:flex-1 max-md:border-border-strong max-md:px-2"
        pending={autoAdd.isPending}
        disabled={suggest.isPending}
        onClick={() => autoAdd.mutate()}
      >
        <Sparkles aria-hidden="true" className="max-md:hidden" />
        Auto-Add Keywords
      </Button>
      <Button
        ref={toggleButton}
        variant="outline"
        size="sm"
        className="max-md:flex-1 max-md:px-2"
        aria-expanded={isOpen}
        pending={suggest.isPending}
        disabled={autoAdd.isPending}
        onClick={toggle}
      >
        {isOpen ? (
          <ChevronUp aria-hidden="true" className="max-md:hidden" />
        ) : (
          <ChevronDown aria-hidden="true" className="max-md:hidden" />
        )}
        {isOpen ? "Hide Suggestions" : "Show Suggestions"}
      </Button>
    </>
  );
  return { buttons, shown: isOpen ? list : null, drop };
}

/** Suggestions to choose from: each added by itself, or all at once. */
export function KeywordSuggestions({
  topic,
  keywords,
  onDone,
}: {
  topic: TopicOut;
  keywords: string[];
  onDone: (added: string[]) => void;
}) {
  const addAll = useAddSuggestedKeywords(topic);
  const all = keywords.slice(0, MAX_SUGGESTED);
  return (
    <section aria-label="Suggested keywords" className="mt-4 rounded-md bg-muted py-3 pr-2 pl-4">
      <div className="mb-1 flex items-center justify-between gap-2 pr-2">
        <p role="status" className="text-muted-foreground text-sm">
          {keywords.length === 0
            ? "No new keywords were found."
            : `${keywords.length} suggestion${keywords.length === 1 ? "" : "s"}`}
        </p>
        {keywords.length > 0 ? (
          <Button
            variant="outline"
            size="sm"
            pending={addAll.isPending}
            onClick={() => addAll.mutate({ keywords: all }, { onSuccess: () => onDone(all) })}
          >
            Add All
          </Button>
        ) : null}
      </div>
      <ul className="grid gap-x-6 md:grid-cols-2">
        {keywords.map((keyword) => (
          <Suggestion
            key={keyword}
            topic={topic}
            keyword={keyword}
            disabled={addAll.isPending}
            onAdded={() => onDone([keyword])}
          />
        ))}
      </ul>
    </section>
  );
}

function Suggestion({
  topic,
  keyword,
  disabled,
  onAdded,
}: {
  topic: TopicOut;
  keyword: string;
  disabled: boolean;
  onAdded: () => void;
}) {
  const add = useAddSuggestedKeywords(topic);

  function addIt() {
    const giveFocusBack = rememberFocus();
    add.mutate(
      { keywords: [keyword] },
      {
        onSuccess: () => {
          onAdded();
          onceDrawn(giveFocusBack);
        },
      },
    );
  }

  return (
    <li className="flex min-h-9 items-center gap-2">
      <span dir="auto" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {keyword}
      </span>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Add ${keyword}`}
        pending={add.isPending}
        disabled={disabled}
        onClick={addIt}
      >
        <Plus aria-hidden="true" />
        Add
      </Button>
    </li>
  );
}
