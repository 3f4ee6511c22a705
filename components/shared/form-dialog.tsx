"use client";

import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { ModalContent } from "@/components/shared/modal-content";
import { Dialog, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { warnBeforeUnload } from "@/lib/client/leave-guard";
import { useSessionDraft } from "@/lib/client/use-session-draft";

/**
 * A dialog with a form that is mounted only while it is open. The user cannot close it over unsaved input without
 * confirming, nor while `pending`; its parent closes it after saving. With `draftName`, unique in the app, what was typed
 * survives the end of the session, passwords excepted.
 */
export function FormDialog({
  open,
  onOpenChange,
  title,
  description,
  className,
  pending = false,
  draftName,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  className?: string;
  pending?: boolean;
  draftName?: string | undefined;
  children: ReactNode;
}) {
  const content = useRef<HTMLDivElement>(null);
  const [isConfirming, setConfirming] = useState(false);

  useEffect(() => {
    if (!open) return;
    return warnBeforeUnload(() => hasChanges(content.current));
  }, [open]);

  function changeOpen(next: boolean) {
    if (pending) return;
    if (!next && hasChanges(content.current)) setConfirming(true);
    else onOpenChange(next);
  }

  function discard() {
    setConfirming(false);
    onOpenChange(false);
  }

  return (
    <Dialog open={open} onOpenChange={changeOpen}>
      <ModalContent ref={content} className={className}>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        {children}
        {draftName ? <FieldDrafts name={draftName} label={title} content={content} /> : null}
        <ConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          title="Discard what you typed?"
          description="It has not been saved, and is lost when you close this."
          confirmLabel="Discard"
          destructive
          onConfirm={discard}
        />
      </ModalContent>
    </Dialog>
  );
}

/** Keeps what is typed; mounted while the dialog is open. */
function FieldDrafts({
  name,
  label,
  content,
}: {
  name: string;
  label: string;
  content: RefObject<HTMLDivElement | null>;
}) {
  useSessionDraft(name, {
    label,
    take() {
      const changed = fieldsOf(content.current).filter(isUnsavedText);
      return changed.length > 0 ? Object.fromEntries(changed.map((field) => [field.name, field.value])) : null;
    },
    restore(stored) {
      const texts = new Map(Object.entries((stored ?? {}) as Record<string, unknown>));
      const fields = fieldsOf(content.current).filter((field) => typeof texts.get(field.name) === "string");
      for (const field of fields) type(field, String(texts.get(field.name)));
      return fields.length > 0;
    },
  });
  return null;
}

/** As a person does: React hears of a value only if it is set behind its back and an event follows. */
function type(field: TextField, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function isUnsavedText(field: TextField): boolean {
  const isText = field instanceof HTMLTextAreaElement || !["password", "hidden", "file"].includes(field.type);
  return isText && field.name !== "" && field.value !== field.defaultValue;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

function fieldsOf(content: HTMLElement | null): TextField[] {
  return [...(content?.querySelectorAll<TextField>("input, textarea") ?? [])];
}

/** Fields know their initial value; input that is not in a field is marked with `data-changed`. */
function hasChanges(content: HTMLElement | null): boolean {
  return (
    content?.querySelector("[data-changed]") != null ||
    fieldsOf(content).some((field) => field.value !== field.defaultValue)
  );
}
