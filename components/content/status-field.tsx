"use client";

import type { ContentEditorState } from "@/components/content/use-content-editor";
import { Field } from "@/components/shared/field";
import {
  Select,
  SelectContent,
  SelectGroup,
  SelectItem,
  SelectLabel,
  SelectTrigger,
  SelectValue,
} from "@/components/ui/select";
import type { ContentOut } from "@/lib/features/content/schema";
import {
  CONTENT_STATES,
  type ContentStatus,
  EDITABLE_STATUSES,
  isEditable,
  isLive,
} from "@/lib/features/content/states";

const SET_BY_PUBLISHING = "Set by publishing";

/** Offers the four editable statuses. One set by publishing has a group of its own, since both have a "Draft". */
export function StatusField({ piece, editor }: { piece: ContentOut; editor: ContentEditorState }) {
  const isLocked = isLive(piece);
  const status = isLocked ? piece.status : editor.fields.status;
  const isSetByPublishing = !isEditable(piece.status);
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
            {isSetByPublishing ? (
              <>
                <SelectGroup>
                  <SelectLabel>{SET_BY_PUBLISHING}</SelectLabel>
                  <SelectItem value={piece.status}>{CONTENT_STATES[piece.status].select}</SelectItem>
                </SelectGroup>
                <SelectGroup>
                  <SelectLabel>Set by you</SelectLabel>
                  {editable}
                </SelectGroup>
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
