"use client";

import type { ContentEditorState } from "@/components/content/use-content-editor";
import { Field } from "@/components/ui/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { EDITABLE_STATUSES } from "@/lib/features/content/rules";
import type { ContentOut, ContentStatus } from "@/lib/features/content/schema";

const LABELS: Record<ContentStatus, string> = {
  draft: "Draft",
  review: "Under Review",
  published: "Published",
  unpublished: "Unpublished",
  wp_draft: "WordPress Draft",
  wp_published: "Published",
  wp_failed: "Failed",
};

/** The four statuses a person may set; one that publishing has set stands above them until another is chosen. */
export function StatusField({ piece, editor }: { piece: ContentOut; editor: ContentEditorState }) {
  const isLocked = piece.status === "wp_published";
  const isOfPublishing = !(EDITABLE_STATUSES as readonly string[]).includes(piece.status);
  return (
    <Field label="Status" hint={isLocked ? "Unpublish first to change the status" : undefined}>
      {(control) => (
        <Select
          value={isLocked ? piece.status : editor.fields.status}
          disabled={isLocked}
          onValueChange={(status) => editor.edit("status", status as ContentStatus)}
        >
          <SelectTrigger {...control}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {isOfPublishing ? <SelectItem value={piece.status}>{LABELS[piece.status]}</SelectItem> : null}
            {EDITABLE_STATUSES.map((status) => (
              <SelectItem key={status} value={status}>
                {LABELS[status]}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
