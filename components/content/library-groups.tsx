"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { LibraryTopic } from "@/components/content/library-topic";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import { Accordion, AccordionContent, AccordionItem, AccordionTrigger } from "@/components/ui/accordion";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { type LibraryFilters, libraryGroupsQuery } from "@/lib/features/content/client";
import type { ContentGroup } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";

/** Projects that open by themselves: the newest, or the first hits of a search. */
const OPEN_AT_FIRST = 1;
const OPEN_HITS = 3;
/** Topic cards of a project shown at once: each loads its rows. */
const TOPICS_AT_ONCE = 20;

/** The library's content by project; several projects may be open. */
export function LibraryGroups({ filters, onReset }: { filters: LibraryFilters; onReset: () => void }) {
  const groups = useQuery({ ...libraryGroupsQuery(filters), placeholderData: keepPreviousData });
  const isFiltered = Object.keys(filters).length > 0;
  if (groups.isError && !groups.data) {
    return (
      <ErrorState
        title="Error fetching content"
        error={groups.error}
        pending={groups.isFetching}
        onRetry={() => groups.refetch()}
      />
    );
  }
  if (!groups.data) return <GroupPlaceholders />;
  if (groups.data.length === 0) {
    return (
      <EmptyState
        title="No content found"
        description="Try adjusting your filters or create new content"
        action={
          isFiltered ? (
            <Button variant="outline" onClick={onReset}>
              Show all content
            </Button>
          ) : (
            <Button asChild variant="outline">
              <Link href="/">Go to Projects</Link>
            </Button>
          )
        }
      />
    );
  }
  return (
    <div className={cn("transition-opacity", groups.isPlaceholderData && "opacity-60")} aria-busy={groups.isFetching}>
      {/* Another filter is another list: it begins with its own first projects open. */}
      <Groups key={JSON.stringify(filters)} groups={groups.data} filters={filters} isFiltered={isFiltered} />
    </div>
  );
}

function Groups({
  groups,
  filters,
  isFiltered,
}: {
  groups: ContentGroup[];
  filters: LibraryFilters;
  isFiltered: boolean;
}) {
  const [chosen, setChosen] = useState<string[] | null>(null);
  const first = groups.slice(0, isFiltered ? OPEN_HITS : OPEN_AT_FIRST).map(({ projectId }) => String(projectId));
  return (
    <Accordion type="multiple" value={chosen ?? first} onValueChange={setChosen} className="border-b">
      {groups.map((group) => (
        <AccordionItem key={group.projectId} value={String(group.projectId)} className="border-t">
          <AccordionTrigger className="px-0 py-3">
            <span className="min-w-0 font-serif text-lg tracking-[-0.008em] max-md:text-md md:truncate">
              {group.title || `Project ${group.projectId}`}
            </span>
            <Badge variant="count" className="max-md:ml-auto">
              {group.count}
              <span className="sr-only"> items</span>
            </Badge>
          </AccordionTrigger>
          <AccordionContent className="pb-2">
            <Topics group={group} filters={filters} />
          </AccordionContent>
        </AccordionItem>
      ))}
    </Accordion>
  );
}

function Topics({ group, filters }: { group: ContentGroup; filters: LibraryFilters }) {
  const [shown, setShown] = useState(TOPICS_AT_ONCE);
  return (
    <>
      {group.topics.slice(0, shown).map((topic) => (
        <LibraryTopic key={topic.topicId} projectId={group.projectId} topic={topic} filters={filters} />
      ))}
      {group.topics.length > shown ? (
        <Button variant="outline" className="mb-4" onClick={() => setShown(shown + TOPICS_AT_ONCE)}>
          Show more topics
        </Button>
      ) : null}
    </>
  );
}

export function GroupPlaceholders() {
  return (
    <div role="status">
      <span className="sr-only">Content is loading</span>
      {["w-64", "w-80", "w-56"].map((width) => (
        <div key={width} className="flex h-[53px] items-center border-t">
          <Skeleton className={cn("h-5 max-w-full", width)} />
        </div>
      ))}
    </div>
  );
}
