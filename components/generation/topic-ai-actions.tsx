"use client";

import { ListTree, type LucideIcon, PenLine } from "lucide-react";
import { ActionMenu } from "@/components/shared/action-menu";
import { Hint } from "@/components/shared/hint";
import { Button } from "@/components/ui/button";
import { useQueueTopic } from "@/lib/features/generation/client/mutations";

/** What a topic's pieces need next: outlines, or texts written from them. */
export type TopicStep = "outlines" | "content";

type Action = {
  step: TopicStep;
  label: string;
  tip: string;
  icon: LucideIcon;
  queue: ReturnType<typeof useQueueTopic>;
};

/**
 * Two buttons that queue a topic's outlines or texts. On phones both would push the pieces out of sight: only the next
 * step is a button there, and the other is in a menu with its tooltip as a note, because touch has no hover.
 */
export function TopicAiActions({
  topic,
  name,
  next = "outlines",
  counts,
}: {
  topic: { id: number; projectId: number };
  name: string;
  next?: TopicStep;
  /** How many pieces each would queue, shown on the button; there is none where it would queue nothing. */
  counts?: Record<TopicStep, number>;
}) {
  const all: Action[] = [
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
  const actions = all.flatMap((action) => withCount(action, counts?.[action.step]));
  const others = actions.filter(({ step }) => step !== next);
  return (
    <span className="flex items-center gap-2 max-sm:basis-full">
      {actions.map(({ step, label, tip, icon: Icon, queue }) => (
        <Hint key={step} content={tip}>
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
        </Hint>
      ))}
      {others.length > 0 ? (
        <ActionMenu
          label={`Actions for ${name}`}
          isBusy={others.some(({ queue }) => queue.isPending)}
          className="md:hidden"
          menuClassName="md:hidden"
          actions={others.map(({ label, tip, icon: Icon, queue }) => ({
            label,
            icon: <Icon aria-hidden="true" />,
            note: tip,
            disabled: queue.isPending,
            onSelect: () => queue.mutate(),
          }))}
        />
      ) : null}
    </span>
  );
}

function withCount(action: Action, count: number | undefined): Action[] {
  if (count === undefined) return [action];
  return count > 0 ? [{ ...action, label: `${action.label} (${count.toLocaleString("en-US")})` }] : [];
}

const NEXT_ON_PHONES = "max-md:min-w-0 max-sm:flex-1 max-md:border-border-strong max-md:bg-card";
