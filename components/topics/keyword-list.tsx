"use client";

import { useState } from "react";
import { ErrorState } from "@/components/shared/error-state";
import { AddKeyword } from "@/components/topics/add-keyword";
import { KeywordChip } from "@/components/topics/keyword-chip";
import { KeywordSuggestions, useSuggestions } from "@/components/topics/keyword-suggestions";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { useRejectedText } from "@/lib/client/rejected-text";
import { keywordsQuery, rejectedKeywords } from "@/lib/features/topics/client";
import type { TopicOut } from "@/lib/features/topics/schema";

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
        <ul className="flex flex-wrap items-start gap-2">
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
