"use client";

import type { ReactNode } from "react";
import { AlertPanel } from "@/components/shared/alert-panel";
import { AlertDialogCancel } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

/** Loaded when components/shared/confirm-dialog.tsx is first opened. */
export function ConfirmPanel({
  open,
  onOpenChange,
  title,
  description,
  body,
  confirmLabel,
  cancelLabel = "Cancel",
  destructive = false,
  pending = false,
  alternative,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  /** Shown between the description and the buttons. */
  body?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  destructive?: boolean;
  pending?: boolean;
  /** Another way, which is suggested: it takes the place of the main button. */
  alternative?: { label: string; onSelect: () => void } | undefined;
  onConfirm: () => void;
}) {
  return (
    <AlertPanel
      open={open}
      onOpenChange={(next) => (pending ? undefined : onOpenChange(next))}
      title={title}
      description={description}
      body={body}
      // Three buttons need the room.
      {...(alternative ? { className: "md:max-w-[600px]", footerClassName: "md:flex-wrap" } : {})}
    >
      <AlertDialogCancel disabled={pending}>{cancelLabel}</AlertDialogCancel>
      <Button
        variant={destructive ? "destructive" : alternative ? "outline" : "default"}
        pending={pending}
        onClick={onConfirm}
      >
        {confirmLabel}
      </Button>
      {alternative ? <Button onClick={alternative.onSelect}>{alternative.label}</Button> : null}
    </AlertPanel>
  );
}
