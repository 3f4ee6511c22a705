"use client";

import { useRef, useState } from "react";
import { InlineEdit } from "@/components/content/inline-edit";
import { CHIP, CHIP_TEXT, Chip, ChipCross } from "@/components/shared/chip";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { afterRender } from "@/components/shared/focus-return";
import { isTemporary, useDeleteKeyword, useUpdateKeyword } from "@/lib/features/topics/client";
import { KEYWORD_MAX } from "@/lib/features/topics/rules";
import type { KeywordOut, TopicOut } from "@/lib/features/topics/schema";
import { cn } from "@/lib/utils/cn";

type Props = {
  topic: TopicOut;
  keyword: KeywordOut;
  /** A rejected edit: the chip opens for editing with this text. */
  unsaved?: string | undefined;
  onEditEnd: () => void;
};

/** A keyword to edit in place or delete. */
export function KeywordChip(props: Props) {
  return isTemporary(props.keyword) ? <TemporaryChip keyword={props.keyword} /> : <SavedChip {...props} />;
}

/** A keyword that the server has not confirmed yet, so it has no id to edit or delete it by. */
function TemporaryChip({ keyword: { keyword } }: { keyword: KeywordOut }) {
  return (
    <Chip busy end={<span className="w-7 max-md:w-10" />}>
      {keyword}
    </Chip>
  );
}

function SavedChip({ topic, keyword, unsaved, onEditEnd }: Props) {
  const [isEditing, setEditing] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const text = useRef<HTMLButtonElement>(null);
  const update = useUpdateKeyword(topic);
  const remove = useDeleteKeyword(topic);

  function endEdit() {
    setEditing(false);
    onEditEnd();
    // The focused field is unmounted.
    afterRender(
      () => text.current?.focus(),
      () => text.current !== null,
    );
  }

  function save(text: string) {
    endEdit();
    update.mutate({ id: keyword.id, keyword: text });
  }

  function confirm() {
    setConfirming(false);
    remove.mutate(keyword.id);
  }

  if (isEditing || unsaved !== undefined) {
    return (
      <li className="max-w-full max-md:w-full">
        <InlineEdit
          value={keyword.keyword}
          unsaved={unsaved}
          label={`Edit keyword ${keyword.keyword}`}
          noun="keyword"
          maxLength={KEYWORD_MAX}
          onSave={save}
          onCancel={endEdit}
          className="text-sm max-md:w-full"
        />
      </li>
    );
  }
  return (
    <li className={CHIP}>
      <button
        ref={text}
        type="button"
        dir="auto"
        title="Edit"
        aria-label={`Edit keyword ${keyword.keyword}`}
        onClick={() => setEditing(true)}
        className={cn(CHIP_TEXT, "rounded-l-sm pr-0 hover:text-link")}
      >
        {keyword.keyword}
      </button>
      <ChipCross label={`Delete keyword ${keyword.keyword}`} onClick={() => setConfirming(true)} />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Are you sure you want to delete this keyword?"
        description={<bdi>{keyword.keyword}</bdi>}
        confirmLabel="Delete"
        destructive
        onConfirm={confirm}
      />
    </li>
  );
}
