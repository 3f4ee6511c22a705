"use client";

import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { useSiteOfProject } from "@/lib/features/sites/client";

/** Asks before overwriting a post that was edited on the site. */
export function PublishAnywayDialog({
  projectId,
  open,
  onOpenChange,
  pending,
  onConfirm,
}: {
  projectId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  pending: boolean;
  onConfirm: () => void;
}) {
  const { yourWordPressSite } = useSiteOfProject(projectId, open);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`The post was edited on ${yourWordPressSite}`}
      description="It has changed since it was last published from here. Publishing anyway replaces what is there with your text; WordPress keeps the other one among its revisions."
      confirmLabel="Publish anyway"
      destructive
      pending={pending}
      onConfirm={onConfirm}
    />
  );
}
