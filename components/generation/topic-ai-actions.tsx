"use client";

import { Ellipsis, ListTree, type LucideIcon, PenLine } from "lucide-react";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Spinner } from "@/components/ui/spinner";
import { Tooltip } from "@/components/ui/tooltip";
import { useQueueTopic } from "@/lib/features/generation/client";

/** What a topic's pieces want next: their outlines, or the texts from them. */
export type TopicStep = "outlines" | "content";

type Action = {
  step: TopicStep;
  label: string;
  tip: string;
  icon: LucideIcon;
  queue: ReturnType<typeof useQueueTopic>;
};

/**
 * Queues the outlines, or the texts, of a whole topic: two buttons. On phones the next step stays one and the other is in a
 * menu, with what its tooltip says, because nothing is pointed at there.
 */
export function TopicAiActions({
  topic,
  name,
  next = "outlines",
}: {
  topic: { id: number; projectId: number };
  name: string;
  next?: TopicStep;
}) {
  const actions: Action[] = [
    {
      step: "outlines",
      label: "Generate Topic Outline",
      tip: "Generate a comprehensive outline for this topic",
      icon: ListTree,
      queue: useQueueTopic("outlines", topic),
    },
    {
      step: "content",
      label: "Write Topic Content with AI",
      tip: "Generate content for all outlines in this topic",
      icon: PenLine,
      queue: useQueueTopic("content", topic),
    },
  ];
  return (
    <span className="flex items-center gap-2 max-sm:basis-full">
      {actions.map(({ step, label, tip, icon: Icon, queue }) => (
        <Tooltip key={step} content={tip}>
          <Button
            variant="ghost"
            size="sm"
            pending={queue.isPending}
            onClick={() => queue.mutate()}
            className={step === next ? NEXT_ON_PHONES : "max-md:hidden"}
          >
            <Icon aria-hidden="true" />
            {label}
          </Button>
        </Tooltip>
      ))}
      <OtherActions actions={actions.filter(({ step }) => step !== next)} name={name} />
    </span>
  );
}

const NEXT_ON_PHONES = "max-md:min-w-0 max-sm:flex-1 max-md:border-border-strong max-md:bg-card";

function OtherActions({ actions, name }: { actions: Action[]; name: string }) {
  const isBusy = actions.some(({ queue }) => queue.isPending);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          className="md:hidden"
          aria-label={`Actions for ${name}`}
          aria-busy={isBusy}
        >
          {isBusy ? <Spinner /> : <Ellipsis aria-hidden="true" />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="md:hidden">
        {actions.map(({ step, label, tip, icon: Icon, queue }) => (
          <DropdownMenuItem key={step} disabled={queue.isPending} onSelect={() => queue.mutate()}>
            <Icon aria-hidden="true" />
            <span className="py-1">
              {label}
              <span className="block text-muted-foreground text-xs">{tip}</span>
            </span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
