"use client";

import { useQuery } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { type Ref, useState } from "react";
import { TopicContent } from "@/components/content/topic-content";
import { ActionMenu } from "@/components/shared/action-menu";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { KeywordList } from "@/components/topics/keyword-list";
import { EditTopicDialog } from "@/components/topics/topic-dialog";
import { TopicSteps } from "@/components/topics/topic-steps";
import { AccordionContent, AccordionItem, AccordionTrigger } from "@/components/ui/accordion";
import { placeRow } from "@/lib/client/page-place";
import { useSiteOfProject } from "@/lib/features/sites/client";
import { topicQuery, useDeleteTopic } from "@/lib/features/topics/client";
import type { ListedTopic } from "@/lib/features/topics/schema";
import { descriptionStart } from "@/lib/utils/text";

/** One topic of the accordion. */
export function TopicItem({ topic, index, ref }: { topic: ListedTopic; index: number; ref: Ref<HTMLDivElement> }) {
  return (
    <AccordionItem
      ref={ref}
      data-index={index}
      {...placeRow(topic.id)}
      value={String(topic.id)}
      className={index > 0 ? "border-t" : undefined}
    >
      {/* The steps stand beside the button, since links cannot be inside it, and below it where there is no room. */}
      <div className="flex min-h-13 flex-wrap">
        <div className="grid min-w-0 flex-[1_1_26rem]">
          <AccordionTrigger className="min-h-9 max-md:py-3">
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-0.5">
              <span dir="auto" className="min-w-0 flex-1 [overflow-wrap:anywhere] max-md:basis-full">
                {topic.name}{" "}
                {topic.category ? (
                  <span className="font-normal text-muted-foreground">
                    (<span dir="auto">{topic.category}</span>)
                  </span>
                ) : null}
              </span>
              <span className="whitespace-nowrap font-normal text-muted-foreground text-sm tabular-nums">
                {countsOf(topic)}
              </span>
            </span>
          </AccordionTrigger>
        </div>
        <TopicSteps topic={topic} />
      </div>
      <AccordionContent className="px-4 pt-1 pb-4 md:pl-11">
        <div className="mb-5 flex items-start gap-3">
          <p dir="auto" className="max-w-[68ch] whitespace-pre-line text-muted-foreground [overflow-wrap:anywhere]">
            <Description topic={topic} />
          </p>
          <TopicMenu topic={topic} />
        </div>
        <KeywordList topic={topic} />
        <TopicContent topic={topic} />
      </AccordionContent>
    </AccordionItem>
  );
}

/** Shows the start of the description, which the list has, until the whole has loaded. */
function Description({ topic }: { topic: ListedTopic }) {
  const whole = useQuery({ ...topicQuery(topic.id), enabled: topic.descriptionCut === true });
  return topic.descriptionCut && whole.data ? whole.data.description : descriptionStart(topic);
}

/** "8 keywords · 4 pieces" */
function countsOf({ keywordCount, contentCount }: ListedTopic): string {
  const pieces = `${contentCount ? contentCount.toLocaleString("en-US") : "no"} piece${contentCount === 1 ? "" : "s"}`;
  return `${keywordCount || "no"} keyword${keywordCount === 1 ? "" : "s"} · ${pieces}`;
}

function TopicMenu({ topic }: { topic: ListedTopic }) {
  const [openDialog, setOpenDialog] = useState<"edit" | "delete" | null>(null);
  const { yourWordPressSite } = useSiteOfProject(topic.projectId, openDialog === "delete");
  const remove = useDeleteTopic(topic);
  const close = () => setOpenDialog(null);

  function confirm() {
    close();
    remove.mutate();
  }

  return (
    <>
      <ActionMenu
        label={`Actions for ${topic.name}`}
        className="-mt-1 -mr-1.5 ml-auto"
        actions={[
          { label: "Edit Topic", icon: <Pencil aria-hidden="true" />, onSelect: () => setOpenDialog("edit") },
          {
            label: "Delete Topic",
            icon: <Trash2 aria-hidden="true" />,
            onSelect: () => setOpenDialog("delete"),
            destructive: true,
          },
        ]}
      />
      <EditTopicDialog topic={topic} open={openDialog === "edit"} onOpenChange={close} />
      <ConfirmDialog
        open={openDialog === "delete"}
        onOpenChange={close}
        title="Delete Topic"
        description={
          <>
            “<bdi>{topic.name}</bdi>” will be removed with all of its keywords and content. Posts on {yourWordPressSite}{" "}
            stay there. This action cannot be undone.
          </>
        }
        confirmLabel="Delete"
        destructive
        onConfirm={confirm}
      />
    </>
  );
}
