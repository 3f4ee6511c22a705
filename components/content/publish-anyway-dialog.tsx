"use client";

import { ConfirmDialog } from "@/components/shared/confirm-dialog";

/** Asks before overwriting a post that was edited on the site. */
export function PublishAnywayDialog({
  open,
  onOpenChange,
  pending,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  pending: boolean;
  onConfirm: () => void;
}) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="The post was edited on your WordPress site"
      description="It has changed since it was last published from here. Publishing anyway replaces what is there with your text; WordPress keeps the other one among its revisions."
      confirmLabel="Publish anyway"
      destructive
      pending={pending}
      onConfirm={onConfirm}
    />
  );
}
