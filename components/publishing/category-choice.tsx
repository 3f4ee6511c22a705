"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/label";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { errorText } from "@/lib/client/api";
import type { ContentSummary } from "@/lib/features/content/schema";
import { categoriesQuery, type usePublishContent } from "@/lib/features/publishing/client";

/** The choice that stands for a category the site may not have yet: the topic's name. */
const TOPIC = "topic";

export type Choosing = { piece: ContentSummary; topicName: string; publish: ReturnType<typeof usePublishContent> };

/** A category of the site: the piece's last one, else the topic's name. */
export function CategoryChoice({ piece, topicName, publish, onDone }: Choosing & { onDone: () => void }) {
  const { data, error, isPending } = useQuery(categoriesQuery());
  const [chosen, setChosen] = useState<string>(piece.wpCategoryId ?? TOPIC);
  const categories = (data ?? []).filter(({ name }) => name.toLowerCase() !== topicName.toLowerCase());
  const known = chosen === TOPIC || categories.some(({ id }) => String(id) === chosen);
  const value = known ? chosen : TOPIC;
  const isNew = data !== undefined && value === TOPIC && categories.length === data.length;
  const send = () => {
    const name = categories.find(({ id }) => String(id) === value)?.name;
    const category =
      value === TOPIC ? { categoryName: topicName } : { categoryId: value, ...(name ? { categoryName: name } : {}) };
    publish.mutate({ piece, ...category }, { onSettled: onDone });
  };
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <Label htmlFor={`category-${piece.id}`}>Category</Label>
        <Select value={value} onValueChange={setChosen}>
          <SelectTrigger id={`category-${piece.id}`} className="w-full">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            <SelectItem value={TOPIC}>
              <bdi>{topicName}</bdi>
            </SelectItem>
            {categories.map(({ id, name }) => (
              <SelectItem key={id} value={String(id)}>
                <bdi>{name}</bdi>
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        {isPending ? (
          <p className="flex items-center gap-2 text-muted-foreground text-sm">
            <Spinner /> Loading the categories of your site
          </p>
        ) : null}
        {isNew ? (
          <p className="text-muted-foreground text-sm md:hidden">New on your site: it is created when you publish.</p>
        ) : null}
        {error ? (
          <p className="text-destructive text-sm">{errorText(error, "Failed to fetch WordPress categories")}</p>
        ) : null}
      </div>
      <Button pending={publish.isPending} onClick={send}>
        Publish
      </Button>
    </>
  );
}
