"use client";

import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { askBeforeUnload } from "@/lib/client/leaving";
import { useKeptText } from "@/lib/client/use-kept-text";

/**
 * A dialog with a form that lives only while it is open. Closing it asks first when something was typed that would be
 * lost; whoever saved it closes it without a question. While `pending` it stays: what was sent cannot be taken back.
 * `keptAs` names the form in the whole app: under it what is typed outlives the end of the session, passwords excepted.
 */
export function FormDialog({
  open,
  onOpenChange,
  title,
  description,
  className,
  pending = false,
  keptAs,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  className?: string;
  pending?: boolean;
  keptAs?: string | undefined;
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
        {keptAs ? <KeptFields name={keptAs} label={title} content={content} /> : null}
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

/** Lives as long as the dialog is open. */
function KeptFields({
  name,
  label,
  content,
}: {
  name: string;
  label: string;
  content: RefObject<HTMLDivElement | null>;
}) {
  useKeptText(name, {
    label,
    take() {
      const changed = fieldsOf(content.current).filter(isToKeep);
      return changed.length > 0 ? Object.fromEntries(changed.map((field) => [field.name, field.value])) : null;
    },
    restore(kept) {
      const texts = new Map(Object.entries((kept ?? {}) as Record<string, unknown>));
      const fields = fieldsOf(content.current).filter((field) => typeof texts.get(field.name) === "string");
      for (const field of fields) field.value = String(texts.get(field.name));
      return fields.length > 0;
    },
  });
  return null;
}

function isToKeep(field: TextField): boolean {
  const isText = field instanceof HTMLTextAreaElement || !["password", "hidden", "file"].includes(field.type);
  return isText && field.name !== "" && field.value !== field.defaultValue;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

function fieldsOf(content: HTMLElement | null): TextField[] {
  return [...(content?.querySelectorAll<TextField>("input, textarea") ?? [])];
}

/** Fields keep what they began with; what is not kept in a field says so with `data-changed`. */
function hasChanges(content: HTMLElement | null): boolean {
  return (
    content?.querySelector("[data-changed]") != null ||
    fieldsOf(content).some((field) => field.value !== field.defaultValue)
  );
}
