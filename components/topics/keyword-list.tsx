"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { ErrorState } from "@/components/shared/error-state";
import { KEYWORD_MAX, KeywordChip } from "@/components/topics/keyword-chip";
import { KeywordSuggestions, useSuggestions } from "@/components/topics/keyword-suggestions";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { useUnsaved } from "@/lib/client/unsaved";
import { useKeptText } from "@/lib/client/use-kept-text";
import { keywordsQuery, unsavedKeywords, useAddKeyword } from "@/lib/features/topics/client";
import type { TopicOut } from "@/lib/features/topics/schema";
import { isBlank } from "@/lib/utils/text";

/** Keywords shown before the rest is asked for; the newest come first. */
const FIRST = 60;

/** The keywords of a topic: listed, added, edited in place, deleted; suggested by the AI or added by it. */
export function KeywordList({ topic }: { topic: TopicOut }) {
  const keywords = useQuery(keywordsQuery(topic.id));
  const suggestions = useSuggestions(topic);
  const [unsaved, dropUnsaved] = useUnsaved(unsavedKeywords.edited(topic.id));
  const [shown, setShown] = useState(FIRST);
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
            : Array.from({ length: Math.min(topic.keywordCount, FIRST) }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else and never move.
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
  const [unsaved, dropUnsaved] = useUnsaved(unsavedKeywords.added(topic.id));
  const sending = useRef(new Set<string>());
  const field = useRef<HTMLInputElement>(null);
  const add = useAddKeyword(topic);
  // What was refused comes back when the field is free: what is being typed is the next keyword.
  const [refused] = Object.keys(unsaved);
  const text = typed || (refused ?? "");

  useKeptText(`keyword:${topic.id}`, {
    // A keyword on its way has left the field.
    take: () => [text.trim(), ...sending.current].find((keyword) => !isBlank(keyword)) ?? null,
    restore(kept) {
      if (typeof kept === "string") setTyped(kept.slice(0, KEYWORD_MAX));
      return typeof kept === "string";
    },
  });

  function type(value: string) {
    if (typed === "" && refused !== undefined) dropUnsaved(refused);
    setTyped(value);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const keyword = text.trim();
    // A second Enter can come before the field is drawn empty.
    if (isBlank(keyword) || sending.current.has(keyword)) return;
    sending.current.add(keyword);
    type("");
    add
      .mutateAsync({ keyword })
      // It is told already, and the text is kept.
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
        onChange={(event) => type(event.target.value)}
        className="h-(--control-sm) rounded-sm px-2 text-sm md:w-44"
      />
      <Button type="submit" variant="ghost" size="icon-sm" aria-label="Add keyword" disabled={isBlank(text)}>
        <Plus aria-hidden="true" />
      </Button>
    </form>
  );
}
