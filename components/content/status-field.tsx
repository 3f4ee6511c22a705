"use client";

import type { ContentEditorState } from "@/components/content/use-content-editor";
import { Field } from "@/components/ui/field";
import { Select, SelectContent, SelectItem, SelectSection, SelectTrigger, SelectValue } from "@/components/ui/select";
import type { ContentOut } from "@/lib/features/content/schema";
import {
  CONTENT_STATES,
  type ContentStatus,
  EDITABLE_STATUSES,
  isEditable,
  isLive,
} from "@/lib/features/content/states";

const SET_BY_PUBLISHING = "Set by publishing";

/**
 * The four statuses a person may set, in one line. One that publishing has set stands above them under a heading of its
 * own, since "Draft" is then there twice.
 */
export function StatusField({ piece, editor }: { piece: ContentOut; editor: ContentEditorState }) {
  const isLocked = isLive(piece);
  const status = isLocked ? piece.status : editor.fields.status;
  const isOfPublishing = !isEditable(piece.status);
  const hint = isLocked ? "Unpublish first to change the status" : isEditable(status) ? undefined : SET_BY_PUBLISHING;
  const editable = EDITABLE_STATUSES.map((each) => (
    <SelectItem key={each} value={each}>
      {CONTENT_STATES[each].select}
    </SelectItem>
  ));
  return (
    <Field label="Status" hint={hint} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {(control) => (
        <Select
          value={status}
          disabled={isLocked}
          onValueChange={(next) => editor.edit("status", next as ContentStatus)}
        >
          <SelectTrigger {...control} className="w-44">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {isOfPublishing ? (
              <>
                <SelectSection label={SET_BY_PUBLISHING}>
                  <SelectItem value={piece.status}>{CONTENT_STATES[piece.status].select}</SelectItem>
                </SelectSection>
                <SelectSection label="Set by you">{editable}</SelectSection>
              </>
            ) : (
              editable
            )}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}
