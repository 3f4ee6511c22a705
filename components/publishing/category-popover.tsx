"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/label";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { errorText } from "@/lib/client/api";
import type { ContentSummary } from "@/lib/features/content/schema";
import { categoriesQuery, type usePublishContent } from "@/lib/features/publishing/client";

/** The choice that stands for a category the site may not have yet: the topic's name. */
const TOPIC = "topic";

type Props = { piece: ContentSummary; topicName: string; publish: ReturnType<typeof usePublishContent> };

/** Publishes into a category of the site: the piece's last one, else the topic's name. */
export function CategoryPopover({ piece, topicName, publish }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger>
        <Button variant="outline" size="sm" pending={publish.isPending}>
          Publish with Category
        </Button>
      </PopoverTrigger>
      <PopoverContent>
        <Choice piece={piece} topicName={topicName} publish={publish} onDone={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

function Choice({ piece, topicName, publish, onDone }: Props & { onDone: () => void }) {
  const { data, error, isPending } = useQuery(categoriesQuery());
  const [chosen, setChosen] = useState<string>(piece.wpCategoryId ?? TOPIC);
  const categories = (data ?? []).filter(({ name }) => name.toLowerCase() !== topicName.toLowerCase());
  const known = chosen === TOPIC || categories.some(({ id }) => String(id) === chosen);
  const value = known ? chosen : TOPIC;
  const send = () => {
    const name = categories.find(({ id }) => String(id) === value)?.name;
    const category =
      value === TOPIC ? { categoryName: topicName } : { categoryId: value, ...(name ? { categoryName: name } : {}) };
    publish.mutate({ piece, ...category }, { onSettled: onDone });
  };
  return (
    <>
      <div className="grid min-w-0 gap-1.5">
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
