"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { ErrorState } from "@/components/shared/error-state";
import { KEYWORD_MAX, KeywordChip } from "@/components/topics/keyword-chip";
import { KeywordSuggestions, useSuggestions } from "@/components/topics/keyword-suggestions";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { useRejectedText } from "@/lib/client/rejected-text";
import { useSessionDraft } from "@/lib/client/use-session-draft";
import { keywordsQuery, rejectedKeywords, useAddKeyword } from "@/lib/features/topics/client";
import type { TopicOut } from "@/lib/features/topics/schema";
import { isBlank } from "@/lib/utils/text";

/** Keywords shown before "Show all"; the newest come first. */
const INITIAL_COUNT = 60;

/** A topic's keywords, with AI suggestions for more. */
export function KeywordList({ topic }: { topic: TopicOut }) {
  const keywords = useOptimisticQuery(keywordsQuery(topic.id));
  const suggestions = useSuggestions(topic);
  const [unsaved, dropUnsaved] = useRejectedText(rejectedKeywords.edited(topic.id));
  const [shown, setShown] = useState(INITIAL_COUNT);
  return (
    <section aria-label={`Keywords of ${topic.name}`}>
      <div className="mb-2 flex min-h-7 flex-wrap items-center gap-2">
        <h4 className="font-medium max-md:basis-full md:flex-1">
          Keywords{" "}
          <span className="ml-1 font-normal text-muted-foreground tabular-nums">
            {keywords.data?.length ?? topic.keywordCount}
          </span>
        </h4>
        {suggestions.buttons}
      </div>
      {keywords.isError && !keywords.data ? (
        <ErrorState
          title="Failed to fetch keywords"
          error={keywords.error}
          pending={keywords.isFetching}
          onRetry={() => keywords.refetch()}
        />
      ) : (
        <ul className="flex flex-wrap gap-2">
          {keywords.data
            ? keywords.data
                .slice(0, shown)
                .map((keyword) => (
                  <KeywordChip
                    key={keyword.id}
                    topic={topic}
                    keyword={keyword}
                    unsaved={unsaved[keyword.id]}
                    onEditEnd={() => dropUnsaved(keyword.id)}
                  />
                ))
            : Array.from({ length: Math.min(topic.keywordCount, INITIAL_COUNT) }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no id and never move.
                <li key={index}>
                  <Skeleton className="h-7 w-32 rounded-sm max-md:h-9" />
                </li>
              ))}
          <li className="max-md:w-full">
            <AddKeyword topic={topic} />
          </li>
        </ul>
      )}
      {keywords.data && keywords.data.length > shown ? (
        <Button variant="outline" size="sm" className="mt-2" onClick={() => setShown(keywords.data.length)}>
          Show all {keywords.data.length} keywords
        </Button>
      ) : null}
      {suggestions.shown ? <KeywordSuggestions keywords={suggestions.shown} suggestions={suggestions} /> : null}
    </section>
  );
}

function AddKeyword({ topic }: { topic: TopicOut }) {
  const [typed, setTyped] = useState("");
  const [rejectedTexts, dropRejected] = useRejectedText(rejectedKeywords.added(topic.id));
  const sending = useRef(new Set<string>());
  const field = useRef<HTMLInputElement>(null);
  const add = useAddKeyword(topic);
  // A rejected keyword comes back only into an empty field.
  const [rejected] = Object.keys(rejectedTexts);
  const text = typed || (rejected ?? "");

  useSessionDraft(`keyword:${topic.id}`, {
    // A keyword being sent is no longer in the field.
    take: () => [text.trim(), ...sending.current].find((keyword) => !isBlank(keyword)) ?? null,
    restore(stored) {
      if (typeof stored === "string") setTyped(stored.slice(0, KEYWORD_MAX));
      return typeof stored === "string";
    },
  });

  function changeText(value: string) {
    if (typed === "" && rejected !== undefined) dropRejected(rejected);
    setTyped(value);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const keyword = text.trim();
    // A second Enter can come before the emptied field is rendered.
    if (isBlank(keyword) || sending.current.has(keyword)) return;
    sending.current.add(keyword);
    changeText("");
    add
      .mutateAsync({ keyword })
      // The mutation has shown a toast and kept the text.
      .catch(() => undefined)
      .finally(() => sending.current.delete(keyword));
    field.current?.focus();
  }

  return (
    <form onSubmit={submit} className="flex items-center gap-1">
      <Input
        ref={field}
        value={text}
        maxLength={KEYWORD_MAX}
        placeholder="Add a keyword"
        aria-label={`Add a keyword to ${topic.name}`}
        onChange={(event) => changeText(event.target.value)}
        className="h-(--control-sm) rounded-sm px-2 text-sm md:w-44"
      />
      <Button type="submit" variant="ghost" size="icon-sm" aria-label="Add keyword" disabled={isBlank(text)}>
        <Plus aria-hidden="true" />
      </Button>
    </form>
  );
}
