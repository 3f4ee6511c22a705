"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ReadyList, useReadiness, useReadyPress } from "@/components/content/readiness";
import { CategoriesError } from "@/components/publishing/categories-error";
import { ambiguousNames, ownCategory } from "@/components/publishing/topic-categories";
import { LocalTime } from "@/components/shared/local-time";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/label";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { useQueryData } from "@/lib/client/use-query-data";
import type { ContentSummary } from "@/lib/features/content/schema";
import {
  categoriesQuery,
  categoryOfTopic,
  publishableQuery,
  type usePublishContent,
} from "@/lib/features/publishing/client";
import { isSameName } from "@/lib/features/publishing/rules";
import { isScheduled } from "@/lib/features/publishing/states";
import { isKnown, useSiteOfProject } from "@/lib/features/sites/client";
import { comparisonKey } from "@/lib/utils/text";

/** The option for the topic's own category, which the site may not have yet. */
const TOPIC = "topic";

export type CategoryChoiceProps = {
  piece: ContentSummary;
  /** Undefined until it is known; never a fallback such as "Topic 3". */
  topicName: string | undefined;
  publish: ReturnType<typeof usePublishContent>;
};

type Category = { id: string; name: string; label?: string };

/**
 * Publishes into a category: by default the piece's own on the site, else one with the topic's name. If the site has several of
 * that name, it is the one that the topic's pieces have, or the user has to choose.
 */
export function CategoryChoice({ piece, topicName, publish, onDone }: CategoryChoiceProps & { onDone: () => void }) {
  const place = useSiteOfProject(piece.projectId);
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...categoriesQuery(place.otherId),
    enabled: isKnown(place),
  });
  const readiness = useReadiness(piece.id, true);
  const [chosen, setChosen] = useState<string | null>(null);
  const own = ownCategory(piece);
  const isOwnOfTopic = own !== null && isSameName(own.name, topicName);
  const listed = (data ?? []).map(({ id, name }): Category => ({ id: String(id), name }));
  const pieces = useQueryData<ContentSummary[]>(publishableQuery(piece.projectId).queryKey);
  const several = ambiguousNames(data ?? []).get(comparisonKey(topicName ?? "")) ?? [];
  const used = usedOf(several, [piece, ...(pieces ?? []).filter(({ topicId }) => topicId === piece.topicId)]);
  const others = [...several, ...withOwn(listed, own).filter(({ name }) => !isSameName(name, topicName))];
  const ofTopic = several.length > 0 ? (used?.id ?? "") : TOPIC;
  const value = chosen ?? (own && !isOwnOfTopic ? own.id : ofTopic);
  const category = others.find(({ id }) => id === value) ?? (isOwnOfTopic ? own : null);
  const isLater = isScheduled(piece);
  const isNew = data !== undefined && !listed.some(({ name }) => isSameName(name, category?.name ?? topicName));
  const ready = useReadyPress(readiness, submit);
  function submit() {
    const target = category ? { categoryId: category.id, categoryName: category.name } : categoryOfTopic(topicName);
    publish.mutate({ piece, ...target, ...(isLater ? { now: true } : {}) }, { onSettled: onDone });
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <Label htmlFor={`category-${piece.id}`}>Category</Label>
        <Select value={value} onValueChange={setChosen}>
          <SelectTrigger id={`category-${piece.id}`} className="w-full">
            <SelectValue placeholder="Choose one of several" />
          </SelectTrigger>
          <SelectContent>
            {several.length > 0 ? null : (
              <SelectItem value={TOPIC}>
                <bdi>{topicName ?? `Topic ${piece.topicId}`}</bdi>
              </SelectItem>
            )}
            {others.map(({ id, name, label }) => (
              <SelectItem key={id} value={id}>
                <bdi>{label ?? name}</bdi>
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        {isPending ? (
          <p className="flex items-center gap-2 text-muted-foreground text-sm">
            <Spinner /> Loading the categories of {place.yourSite}
          </p>
        ) : null}
        {isNew ? (
          <p className="text-muted-foreground text-sm md:hidden">
            New on {place.yourSite}: it is created when you publish.
          </p>
        ) : null}
        {error ? <CategoriesError error={error} pending={isFetching} onRetry={refetch} /> : null}
      </div>
      {isLater ? (
        <p className="text-muted-foreground text-sm">
          It is scheduled on {place.yourSite}
          {piece.wpPostDate ? <LocalTime before=" for " at={piece.wpPostDate} style="short" /> : null}.
        </p>
      ) : null}
      {value === "" ? (
        <p className="text-muted-foreground text-sm">
          {place.isOneOfSeveral ? place.name : "Your site"} has several categories with the topic’s name. Your choice is
          used for its other pieces too.
        </p>
      ) : null}
      {/* A popover grows down and a sheet up: the button stays where it is when the answer comes. */}
      <div className="empty:hidden xl:order-last">
        <ReadyList readiness={readiness} pieceId={piece.id} />
      </div>
      <Button pending={publish.isPending || ready.isWaiting} disabled={value === ""} onClick={ready.press}>
        {readiness.holding > 0 ? "Publish anyway" : isLater ? "Publish now" : "Publish"}
      </Button>
      {isLater ? (
        <Button variant="outline" onClick={onDone}>
          Leave it scheduled
        </Button>
      ) : null}
    </>
  );
}

function withOwn(listed: Category[], own: Category | null): Category[] {
  return own === null || listed.some(({ id }) => id === own.id) ? listed : [own, ...listed];
}

/** The category among these that one of the topic's pieces has already. */
function usedOf(several: Category[], pieces: ContentSummary[]): Category | undefined {
  const ids = new Set(pieces.map((piece) => ownCategory(piece)?.id));
  return several.find(({ id }) => ids.has(id));
}
