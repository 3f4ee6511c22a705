import { useId } from "react";
import type { AmbiguousTopic } from "@/components/publishing/topic-categories";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Label } from "@/components/ui/label";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

/** Asks which of several categories of its name each topic is; `more` topics are not asked about. */
export function TopicCategoriesChoice({
  topics,
  more,
  onChoose,
}: {
  topics: (AmbiguousTopic & { categoryId: string })[];
  more: number;
  onChoose: (topicId: number, categoryId: string) => void;
}) {
  const id = useId();
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3 text-muted-foreground">
      <p id={id}>
        {topics.length === 1
          ? "Your site has several categories with this topic’s name. Choose one. It is used for the topic’s other pieces too."
          : "Your site has several categories with each of these topics’ names. Choose one for each. It is used for the topic’s other pieces too."}
      </p>
      <ScrollRegion
        role="group"
        aria-labelledby={id}
        className="max-h-[30dvh] rounded-md border bg-card px-3 py-3 text-foreground"
      >
        <div className="grid grid-cols-1 gap-3">
          {topics.map((topic) => (
            <div key={topic.id} className="grid grid-cols-1 items-center gap-1.5 md:grid-cols-2 md:gap-3">
              <Label htmlFor={`${id}-${topic.id}`} className="min-w-0 wrap-anywhere">
                <bdi>{topic.name}</bdi>
              </Label>
              <Select value={topic.categoryId} onValueChange={(value) => onChoose(topic.id, value)}>
                {/* The end of a long label must be seen: it says which category it is. */}
                <SelectTrigger
                  id={`${id}-${topic.id}`}
                  className="h-auto min-h-(--control) min-w-0 py-1.5 [&>span]:wrap-anywhere [&>span]:text-clip"
                >
                  <SelectValue />
                </SelectTrigger>
                <SelectContent>
                  {topic.categories.map((category) => (
                    <SelectItem key={category.id} value={category.id}>
                      <bdi>{category.label}</bdi>
                    </SelectItem>
                  ))}
                </SelectContent>
              </Select>
            </div>
          ))}
        </div>
        {more > 0 ? <p className="mt-3 text-muted-foreground">{moreSentence(more)}</p> : null}
      </ScrollRegion>
    </div>
  );
}

function moreSentence(more: number): string {
  const topics = more === 1 ? "1 more topic" : `${more.toLocaleString("en-US")} more topics`;
  return `For ${topics}, the category at the top level is used, or else the oldest.`;
}
