"use client";

import type { ContentEditorState } from "@/components/content/use-content-editor";
import { Field } from "@/components/shared/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import type { ContentOut } from "@/lib/features/content/schema";
import {
  CONTENT_STATES,
  type ContentStatus,
  EDITABLE_STATUSES,
  isEditable,
  isLive,
} from "@/lib/features/content/states";

/** Offers the four editable statuses. One that publishing has set is shown, and is none of them. */
export function StatusField({ piece, editor }: { piece: ContentOut; editor: ContentEditorState }) {
  const isLocked = isLive(piece);
  const status = isLocked ? piece.status : editor.fields.status;
  const hint = isLocked ? "Unpublish first to change the status" : isEditable(status) ? undefined : "Set by publishing";
  return (
    <Field label="Status" hint={hint} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {(control) => (
        <Select
          value={status}
          disabled={isLocked}
          onValueChange={(next) => editor.edit("status", next as ContentStatus)}
        >
          <SelectTrigger {...control} className="w-44">
            <SelectValue>{CONTENT_STATES[status].select}</SelectValue>
          </SelectTrigger>
          <SelectContent>
            {EDITABLE_STATUSES.map((each) => (
              <SelectItem key={each} value={each}>
                {CONTENT_STATES[each].select}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
