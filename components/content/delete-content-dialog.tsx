"use client";

import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { useDeleteContent } from "@/lib/features/content/client";
import type { ContentSummary } from "@/lib/features/content/schema";
import { useSiteOfProject } from "@/lib/features/sites/client";

/** Asks before the piece is deleted. */
export function DeleteContentDialog({
  piece,
  open,
  onOpenChange,
}: {
  piece: ContentSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const remove = useDeleteContent();
  const { yourWordPressSite } = useSiteOfProject(piece.projectId, open);

  function confirm() {
    onOpenChange(false);
    remove.mutate(piece);
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Are you sure you want to delete this content?"
      description={
        <>
          This action cannot be undone. This will permanently delete the content.
          {piece.wpPostId ? ` The post on ${yourWordPressSite} stays there.` : null}
        </>
      }
      confirmLabel="Delete"
      destructive
      onConfirm={confirm}
    />
  );
}
