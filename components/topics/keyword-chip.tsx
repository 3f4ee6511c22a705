"use client";

import { useRef, useState } from "react";
import { InlineEdit } from "@/components/content/inline-edit";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { afterRender } from "@/components/shared/focus-return";
import { isTemporary, useDeleteKeyword, useUpdateKeyword } from "@/lib/features/topics/client";
import { KEYWORD_MAX } from "@/lib/features/topics/rules";
import type { KeywordOut, TopicOut } from "@/lib/features/topics/schema";

type Props = {
  topic: TopicOut;
  keyword: KeywordOut;
  /** A rejected edit: the chip opens for editing with this text. */
  unsaved?: string | undefined;
  onEditEnd: () => void;
};

/** A keyword to edit in place or delete. */
export function KeywordChip(props: Props) {
  return isTemporary(props.keyword) ? <TemporaryChip keyword={props.keyword} /> : <Chip {...props} />;
}

/** A keyword that the server has not confirmed yet, so it has no id to edit or delete it by. */
function TemporaryChip({ keyword: { keyword } }: { keyword: KeywordOut }) {
  return (
    <li
      dir="auto"
      aria-busy="true"
      className="min-h-7 max-w-full rounded-sm bg-muted py-1 pr-7 pl-2.5 text-muted-foreground text-sm [overflow-wrap:anywhere] max-md:min-h-9 max-md:pr-10"
    >
      {keyword}
    </li>
  );
}

function Chip({ topic, keyword, unsaved, onEditEnd }: Props) {
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
    <li className="flex min-h-7 max-w-full items-stretch rounded-sm bg-muted text-sm max-md:min-h-9">
      <button
        ref={text}
        type="button"
        dir="auto"
        title="Edit"
        aria-label={`Edit keyword ${keyword.keyword}`}
        onClick={() => setEditing(true)}
        className="min-w-0 rounded-l-sm py-1 pl-2.5 text-left [overflow-wrap:anywhere] hover:text-link"
      >
        {keyword.keyword}
      </button>
      <button
        type="button"
        aria-label={`Delete keyword ${keyword.keyword}`}
        onClick={() => setConfirming(true)}
        className="grid w-7 shrink-0 place-items-center rounded-r-sm text-lg text-muted-foreground leading-none hover:bg-destructive-soft hover:text-destructive max-md:w-10"
      >
        {/* A character is cheaper than an icon: a topic may have 500 keywords. */}×
      </button>
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
