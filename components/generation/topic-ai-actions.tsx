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

type Action = { label: string; tip: string; icon: LucideIcon; queue: ReturnType<typeof useQueueTopic> };

/** Queues the outlines, or the texts, of a whole topic; two buttons, on phones a menu. */
export function TopicAiActions({ topic, name }: { topic: { id: number; projectId: number }; name: string }) {
  const actions: Action[] = [
    {
      label: "Generate Topic Outline",
      tip: "Generate a comprehensive outline for this topic",
      icon: ListTree,
      queue: useQueueTopic("outlines", topic),
    },
    {
      label: "Write Topic Content with AI",
      tip: "Generate content for all outlines in this topic",
      icon: PenLine,
      queue: useQueueTopic("content", topic),
    },
  ];
  const isBusy = actions.some(({ queue }) => queue.isPending);
  return (
    <>
      <span className="hidden flex-wrap items-center gap-2 md:flex">
        {actions.map(({ label, tip, icon: Icon, queue }) => (
          <Tooltip key={label} content={tip}>
            <Button variant="ghost" size="sm" pending={queue.isPending} onClick={() => queue.mutate()}>
              <Icon aria-hidden="true" />
              {label}
            </Button>
          </Tooltip>
        ))}
      </span>
      <span className="md:hidden">
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${name}`} aria-busy={isBusy}>
              {isBusy ? <Spinner /> : <Ellipsis aria-hidden="true" />}
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            {actions.map(({ label, icon: Icon, queue }) => (
              <DropdownMenuItem key={label} disabled={queue.isPending} onSelect={() => queue.mutate()}>
                <Icon aria-hidden="true" />
                {label}
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      </span>
    </>
  );
}
