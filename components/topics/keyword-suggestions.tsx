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
  /** Takes suggestions out of the list for good, or only while they wait for their answer. */
  drop: (added: string[]) => void;
  hide: (keyword: string, isHidden: boolean) => void;
};

/** The two ways to let the AI find keywords, and the list that the second one opens. */
export function useSuggestions(topic: TopicOut): Suggestions {
  const [{ list, isOpen }, setState] = useState<{ list: string[]; isOpen: boolean }>({ list: [], isOpen: false });
  const autoAdd = useAutoAddKeywords(topic);
  const suggest = useSuggestKeywords(topic.id);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggleButton = useRef<HTMLButtonElement>(null);
  const left = list.filter((keyword) => !hidden.has(keyword));
  // With the last one the list closes; it is there again should the server refuse that one.
  const isShown = isOpen && (left.length > 0 || list.length === 0);

  function toggle() {
    if (isShown || list.length > 0) setState({ list, isOpen: !isShown });
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
    if (added.length === left.length) focusToggle();
  }

  function hide(keyword: string, isHidden: boolean) {
    setHidden((now) => new Set(isHidden ? [...now, keyword] : [...now].filter((each) => each !== keyword)));
    if (isHidden && left.length === 1) focusToggle();
  }

  /** The list may be gone in the next frame, with the button that was pressed in it. */
  function focusToggle() {
    onceDrawn(() => toggleButton.current?.focus());
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
        aria-expanded={isShown}
        pending={suggest.isPending}
        disabled={autoAdd.isPending}
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
  return { buttons, shown: isShown ? left : null, drop, hide };
}

/** Suggestions to choose from: each added by itself, or all at once. */
export function KeywordSuggestions({
  topic,
  keywords,
  onDone,
  onHide,
}: {
  topic: TopicOut;
  keywords: string[];
  onDone: (added: string[]) => void;
  onHide: (keyword: string, isHidden: boolean) => void;
}) {
  const addAll = useAddSuggestedKeywords(topic);
  const addOne = useAddSuggestedKeywords(topic);
  const all = keywords.slice(0, MAX_SUGGESTED);

  /** Out of the list at once; back in its place, by its failure, which is told already. */
  function add(keyword: string) {
    const giveFocusBack = rememberFocus();
    onHide(keyword, true);
    onceDrawn(giveFocusBack);
    addOne
      .mutateAsync({ keywords: [keyword] })
      .then(() => onDone([keyword]))
      .catch(() => undefined)
      .finally(() => onHide(keyword, false));
  }

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
          <li key={keyword} className="flex min-h-9 items-center gap-2">
            <span dir="auto" className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {keyword}
            </span>
            <Button
              variant="ghost"
              size="sm"
              aria-label={`Add ${keyword}`}
              disabled={addAll.isPending}
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
