"use client";

import { ExternalLink } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { CategoryPopover } from "@/components/publishing/category-popover";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { Button } from "@/components/ui/button";
import { onceDrawn } from "@/components/ui/focus-return";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isRemoteChanged, usePublishContent } from "@/lib/features/publishing/client";

/** What can be done with one piece: open its post, update it, or publish it into a category. */
export function PieceActions({ piece, topicName }: { piece: ContentSummary; topicName: string }) {
  const publish = usePublishContent();
  const [askedToOverwrite, setAskedToOverwrite] = useState(false);
  const updateButton = useRef<HTMLButtonElement>(null);
  const isLive = piece.status === "wp_published";
  const isPublishedHere = isLive && publish.isSuccess;
  useEffect(() => {
    // The button that was pressed has made way for this one, and its popover goes with it.
    if (isPublishedHere) onceDrawn(() => updateButton.current?.focus());
  }, [isPublishedHere]);
  const update = (force: boolean) =>
    publish.mutate(
      { piece, force },
      { onError: (error) => setAskedToOverwrite(isRemoteChanged(error)), onSuccess: () => setAskedToOverwrite(false) },
    );
  return (
    <div className="flex flex-wrap items-center gap-1 md:justify-end">
      {piece.wpPermalink ? (
        <Button asChild variant="ghost" size="icon-sm">
          <a href={piece.wpPermalink} target="_blank" rel="noreferrer" aria-label={`Open the post “${piece.title}”`}>
            <ExternalLink aria-hidden="true" />
          </a>
        </Button>
      ) : null}
      {isLive ? (
        <Button
          ref={updateButton}
          variant="outline"
          size="sm"
          pending={publish.isPending}
          onClick={() => update(false)}
        >
          Update
        </Button>
      ) : (
        <CategoryPopover piece={piece} topicName={topicName} publish={publish} />
      )}
      <ConfirmDialog
        open={askedToOverwrite}
        onOpenChange={setAskedToOverwrite}
        title="Overwrite the edited post?"
        description="The post was edited on your WordPress site since it was last published from here. Overwriting replaces that text; WordPress keeps it in the post's own revisions."
        confirmLabel="Overwrite"
        destructive
        pending={publish.isPending}
        onConfirm={() => update(true)}
      />
    </div>
  );
}
