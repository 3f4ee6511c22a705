"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { askBeforeUnload } from "@/lib/client/leaving";

/**
 * A dialog with a form that lives only while it is open. Closing it asks first when something was typed that would be
 * lost; whoever saved it closes it without a question. While `pending` it stays: what was sent cannot be taken back.
 */
export function FormDialog({
  open,
  onOpenChange,
  title,
  description,
  className,
  pending = false,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  className?: string;
  pending?: boolean;
  children: ReactNode;
}) {
  const content = useRef<HTMLDivElement>(null);
  const [isAsking, setAsking] = useState(false);

  useEffect(() => {
    if (!open) return;
    return askBeforeUnload(() => hasChanges(content.current));
  }, [open]);

  function change(next: boolean) {
    if (pending) return;
    if (!next && hasChanges(content.current)) setAsking(true);
    else onOpenChange(next);
  }

  function discard() {
    setAsking(false);
    onOpenChange(false);
  }

  return (
    <Dialog open={open} onOpenChange={change}>
      <DialogContent ref={content} className={className}>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        {children}
        <ConfirmDialog
          open={isAsking}
          onOpenChange={setAsking}
          title="Discard what you typed?"
          description="It has not been saved, and is lost when you close this."
          confirmLabel="Discard"
          destructive
          onConfirm={discard}
        />
      </DialogContent>
    </Dialog>
  );
}

/** Fields keep what they began with; what is not kept in a field says so with `data-changed`. */
function hasChanges(content: HTMLElement | null): boolean {
  const fields = content?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? [];
  return (
    content?.querySelector("[data-changed]") != null || [...fields].some((field) => field.value !== field.defaultValue)
  );
}
