"use client";

import { CloudOff, RefreshCw } from "lucide-react";
import { useState } from "react";
import { SiteChangeDialog } from "@/components/content/site-change-dialog";
import { ProjectRenderingChanges } from "@/components/publishing/project-rendering-changes";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { type PageAction, PageActions } from "@/components/shared/page-actions";
import { useSiteHost } from "@/lib/client/site-host";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isLive } from "@/lib/features/content/states";
import { type Publishing, useStartPublishing } from "@/lib/features/publishing/client";
import { BODY_FIRST } from "@/lib/features/publishing/rules";
import type { BulkVerb } from "@/lib/features/publishing/states";

type Props = {
  projectId: number;
  pieces: ContentSummary[];
  selected: ReadonlySet<string>;
  publishing: Publishing;
  /** The page's actions, which on phones are in this bar's menu. */
  pageActions: PageAction[];
  onStarted: () => void;
};

const BUSY = "Something of this project is being published";
const NEW_CATEGORIES = "each topic becomes a category on your site if it is not there yet.";

/** "Publish All Content", "Publish Selected" and what else is done to many pieces, each with its confirmation. */
export function PublishButtons({ projectId, pieces, selected, publishing, pageActions, onStarted }: Props) {
  const [confirming, setConfirming] = useState<BulkVerb | null>(null);
  const start = useStartPublishing(projectId);
  const site = useSiteHost();
  const { bulk, isBusy } = publishing;
  const live = pieces.filter(isLive);
  const chosen: Record<BulkVerb, ContentSummary[]> = {
    publish_all: pieces,
    publish_selected: pieces.filter(({ id }) => selected.has(id)),
    update_all: live,
    unpublish_selected: live.filter(({ id }) => selected.has(id)),
  };

  function begin(verb: BulkVerb) {
    setConfirming(null);
    const contentIds = chosen[verb].map(({ id }) => id);
    const isOfProject = verb === "publish_all" || verb === "update_all";
    start.mutate(isOfProject ? { verb } : { verb, contentIds }, { onSuccess: isOfProject ? undefined : onStarted });
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
            ...actionOf("update_all", "Update Published Content", "Nothing is published yet"),
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
        <ConfirmDialog
          key={verb}
          open={confirming === verb}
          onOpenChange={() => setConfirming(null)}
          {...questionOf(verb, chosen[verb].length, site)}
          body={
            chosen[verb].some(isLive) ? (
              <ProjectRenderingChanges
                projectId={projectId}
                ids={verb === "publish_selected" ? chosen.unpublish_selected.map(({ id }) => id) : undefined}
              />
            ) : null
          }
          onConfirm={() => begin(verb)}
        />
      ))}
      <SiteChangeDialog
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

function questionOf(verb: (typeof PUBLISHING_VERBS)[number], pieces: number, site: string) {
  const count = pieces.toLocaleString("en-US");
  const noun = pieces === 1 ? "piece" : "pieces";
  switch (verb) {
    case "publish_all":
      return {
        title: "Publish all content?",
        description: `${pieces === 1 ? "The only publishable piece" : `All ${count} publishable pieces`} of this project will be published on ${site}. A piece stays in the category it has there; for the others ${NEW_CATEGORIES}`,
        confirmLabel: "Publish All",
      };
    case "publish_selected":
      return {
        title: "Publish selected content?",
        description: `${count} selected ${noun} will be published on ${site}. Each goes into the category of its topic, also when it is in another one there: ${NEW_CATEGORIES}`,
        confirmLabel: "Publish Selected",
      };
    case "update_all":
      return {
        title: "Update published content?",
        description: `${count} published ${noun} will be compared with ${site}, and posts that differ will be updated. Nothing new is published, and a post that was edited there is left as it is.`,
        confirmLabel: "Update",
      };
  }
}
