"use client";

import { CloudOff, RefreshCw } from "lucide-react";
import { useState } from "react";
import { SiteChangeDialog } from "@/components/content/site-change-dialog";
import { PublishDialog } from "@/components/publishing/publish-dialog";
import type { TopicNames } from "@/components/publishing/topic-categories";
import { type PageAction, PageActions } from "@/components/shared/page-actions";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isLive } from "@/lib/features/content/states";
import { type Publishing, useStartPublishing } from "@/lib/features/publishing/client";
import { BODY_FIRST } from "@/lib/features/publishing/rules";
import type { StartPublishingInput } from "@/lib/features/publishing/schema";
import type { BulkVerb } from "@/lib/features/publishing/states";

type Props = {
  projectId: number;
  pieces: ContentSummary[];
  topicNameOf: TopicNames;
  selected: ReadonlySet<string>;
  publishing: Publishing;
  /** The page's actions, which on phones are in this bar's menu. */
  pageActions: PageAction[];
  onStarted: () => void;
};

const BUSY = "Something of this project is being published";

/** "Publish All Content", "Publish Selected" and what else is done to many pieces, each with its confirmation. */
export function PublishButtons({
  projectId,
  pieces,
  topicNameOf,
  selected,
  publishing,
  pageActions,
  onStarted,
}: Props) {
  const [confirming, setConfirming] = useState<BulkVerb | null>(null);
  const start = useStartPublishing(projectId);
  const { bulk, isBusy } = publishing;
  const live = pieces.filter(isLive);
  const chosen: Record<BulkVerb, ContentSummary[]> = {
    publish_all: pieces,
    publish_selected: pieces.filter(({ id }) => selected.has(id)),
    update_all: pieces.filter(({ isNewerHere }) => isNewerHere),
    unpublish_selected: live.filter(({ id }) => selected.has(id)),
  };

  function begin(verb: BulkVerb, categories?: StartPublishingInput["categories"], held: string[] = []) {
    setConfirming(null);
    const contentIds = chosen[verb].map(({ id }) => id).filter((id) => !held.includes(id));
    const except = held.length > 0 ? { except: held } : {};
    const isOfProject = verb === "publish_all" || verb === "update_all";
    const input = isOfProject ? { verb, categories, ...except } : { verb, contentIds, categories };
    start.mutate(input, { onSuccess: isOfProject ? undefined : onStarted });
  }

  /** `none` says why it has nothing to do. */
  const actionOf = (verb: BulkVerb, label: string, none: string) => ({
    id: verb,
    label,
    disabled: chosen[verb].length === 0 ? none : isBusy && bulk !== verb && BUSY,
    pending: bulk === verb,
    onSelect: () => setConfirming(verb),
  });

  return (
    <>
      <PageActions
        actions={[
          ...pageActions.map((action) => ({ ...action, phoneOnly: true })),
          {
            ...actionOf("publish_all", "Publish All Content", `Nothing to publish yet. ${BODY_FIRST}.`),
            isMain: selected.size === 0,
          },
          {
            ...actionOf("publish_selected", `Publish Selected (${selected.size})`, "Nothing is selected"),
            variant: "outline",
            isMain: selected.size > 0,
          },
          {
            ...actionOf("update_all", updateLabel(chosen.update_all.length), "Nothing is newer here than on your site"),
            icon: <RefreshCw aria-hidden="true" />,
            isMinor: true,
          },
          {
            ...actionOf(
              "unpublish_selected",
              `Unpublish Selected (${chosen.unpublish_selected.length})`,
              "Nothing that is published is selected",
            ),
            icon: <CloudOff aria-hidden="true" />,
            isMinor: true,
          },
        ]}
      />
      {PUBLISHING_VERBS.map((verb) => (
        <PublishDialog
          key={verb}
          projectId={projectId}
          verb={verb}
          pieces={chosen[verb]}
          all={pieces}
          topicNameOf={topicNameOf}
          open={confirming === verb}
          onOpenChange={() => setConfirming(null)}
          onConfirm={(categories, held) => begin(verb, categories, held)}
        />
      ))}
      <SiteChangeDialog
        projectId={projectId}
        verb="unpublish"
        what={{ count: chosen.unpublish_selected.length }}
        open={confirming === "unpublish_selected"}
        onOpenChange={() => setConfirming(null)}
        onConfirm={() => begin("unpublish_selected")}
      />
    </>
  );
}

const PUBLISHING_VERBS = ["publish_all", "publish_selected", "update_all"] as const;

function updateLabel(count: number): string {
  if (count === 0) return "Update changed posts";
  return `Update ${count.toLocaleString("en-US")} changed ${count === 1 ? "post" : "posts"}`;
}
