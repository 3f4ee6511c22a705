"use client";

import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { CategoryPopover } from "@/components/publishing/category-popover";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { Button } from "@/components/ui/button";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isRemoteChanged, usePublishContent } from "@/lib/features/publishing/client";

/** What can be done with one piece: open its post, update it, or publish it into a category. */
export function PieceActions({ piece, topicName }: { piece: ContentSummary; topicName: string }) {
  const publish = usePublishContent();
  const [askedToOverwrite, setAskedToOverwrite] = useState(false);
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
      {piece.status === "wp_published" ? (
        <Button variant="outline" size="sm" pending={publish.isPending} onClick={() => update(false)}>
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
