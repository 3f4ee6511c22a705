"use client";

import { MessageSquareText, Plus } from "lucide-react";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useCallback, useState } from "react";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import { afterRender } from "@/components/shared/focus-return";
import { useVirtualWindow } from "@/components/shared/use-virtual-window";
import { keywordFieldId } from "@/components/topics/add-keyword";
import { CreateTopicDialog } from "@/components/topics/topic-dialog";
import { TopicItem } from "@/components/topics/topic-item";
import { Accordion } from "@/components/ui/accordion";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { useRememberedIds } from "@/lib/client/use-remembered-ids";
import { topicsQuery } from "@/lib/features/topics/client";
import type { ListedTopic, TopicOut } from "@/lib/features/topics/schema";

/** "Topics & Keywords" of a project. */
export function TopicsSection({ projectId }: { projectId: number }) {
  const [isCreating, setCreating] = useState(false);
  const [open, setOpen] = useOpenTopic(projectId);
  const { data: topics, isError, error, isFetching, refetch } = useOptimisticQuery(topicsQuery(projectId));
  const addButton = (variant: "outline" | "default") => (
    <Button variant={variant} onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      Add Topic
    </Button>
  );
  /** Opens a new topic, and leads to its keywords once the dialog has closed. */
  function begin({ id }: TopicOut) {
    setOpen(String(id));
    const field = () => document.getElementById(keywordFieldId(id));
    afterRender(
      () => field()?.focus(),
      () => field() !== null && document.querySelector("[role='dialog']") === null,
    );
  }

  return (
    <section aria-labelledby="topics-title" className="min-w-0">
      <div className="mb-3 flex min-h-(--control) flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 id="topics-title" className="font-medium text-md tracking-[-0.006em]">
          Topics & Keywords{" "}
          {topics && topics.length > 0 ? (
            <span className="font-normal text-muted-foreground tabular-nums">{topics.length}</span>
          ) : null}
        </h2>
        <div className="flex flex-wrap items-center justify-end gap-2">
          {/* On phones it is in the menu of the page's bar. */}
          <Button asChild variant="ghost" className="max-md:hidden">
            <Link href={`/assistant/${projectId}`}>
              <MessageSquareText aria-hidden="true" />
              Plan with the assistant
            </Link>
          </Button>
          {topics && topics.length > 0 ? addButton("outline") : null}
        </div>
      </div>
      {isError && !topics ? (
        <ErrorState title="Failed to fetch topics" error={error} pending={isFetching} onRetry={() => refetch()} />
      ) : topics?.length === 0 ? (
        <EmptyState
          title="A topic is one corner of your subject, with the words people search for and the pieces you write about it."
          action={addButton("default")}
        />
      ) : (
        <Card className="overflow-hidden max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
          {topics ? <Topics topics={topics} open={open} onOpen={setOpen} /> : <TopicPlaceholders />}
        </Card>
      )}
      <CreateTopicDialog projectId={projectId} open={isCreating} onOpenChange={setCreating} onCreated={begin} />
    </section>
  );
}

/** The height of a closed topic, in pixels. */
const TOPIC_HEIGHT = 53;

/** One topic is open at a time; only topics near the viewport are rendered. */
function Topics({ topics, open, onOpen }: { topics: ListedTopic[]; open: string; onOpen: (topic: string) => void }) {
  const { first, end, before, after, listRef, follower, measure } = useVirtualWindow({
    count: topics.length,
    keyOf: useCallback((index: number) => String(topics[index]?.id ?? index), [topics]),
    estimate: useCallback(() => TOPIC_HEIGHT, []),
  });
  return (
    <Accordion type="single" collapsible value={open} onValueChange={onOpen}>
      <div ref={listRef} style={{ paddingTop: before, paddingBottom: after }}>
        {follower}
        {topics.slice(first, end).map((topic, at) => (
          <TopicItem key={topic.id} topic={topic} ref={measure} index={first + at} />
        ))}
      </div>
    </Accordion>
  );
}

/** The open topic is also in the address, which can be bookmarked and leads to a topic. */
function useOpenTopic(projectId: number): [string, (topic: string) => void] {
  const params = useSearchParams();
  const [first] = useState(params.get("topic") ?? "");
  const [open, remember] = useRememberedIds(`/projects/${projectId}`, "open");
  function select(topic: string) {
    remember(topic ? [topic] : []);
    const { pathname } = window.location;
    window.history.replaceState(null, "", topic ? `${pathname}?topic=${topic}` : pathname);
  }
  return [open ? (open[0] ?? "") : first, select];
}

function TopicPlaceholders() {
  return (
    <div role="status">
      <span className="sr-only">Topics are loading</span>
      {["w-64", "w-48", "w-56"].map((width) => (
        <div key={width} className="flex h-13 items-center px-4 not-first:border-t">
          <Skeleton className={`h-4 max-w-full ${width}`} />
        </div>
      ))}
    </div>
  );
}
