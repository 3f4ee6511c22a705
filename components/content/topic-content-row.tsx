"use client";

import { Pencil, Trash2 } from "lucide-react";
import Link from "next/link";
import { type Ref, useRef, useState } from "react";
import { factsOf } from "@/components/content/content-facts";
import { DeleteContentDialog } from "@/components/content/delete-content-dialog";
import { InlineEdit } from "@/components/content/inline-edit";
import { NewerHereBadge } from "@/components/content/newer-here-badge";
import { FactBadge } from "@/components/shared/fact-badge";
import { afterRender } from "@/components/shared/focus-return";
import { StatusBadge } from "@/components/shared/status-badge";
import { Button } from "@/components/ui/button";
import { PieceWorkBadge } from "@/components/work/piece-work";
import { placeRow } from "@/lib/client/page-place";
import { useRejectedText } from "@/lib/client/rejected-text";
import { rejectedTitles, useRenameContent } from "@/lib/features/content/client";
import { TITLE_MAX } from "@/lib/features/content/rules";
import type { ContentSummary } from "@/lib/features/content/schema";
import { CONTENT_STATES } from "@/lib/features/content/states";
import { cn } from "@/lib/utils/cn";

/** Shown on hover and focus; always on touch and phones. */
const QUIET =
  "md:pointer-fine:opacity-0 md:pointer-fine:group-focus-within:opacity-100 md:pointer-fine:group-hover:opacity-100";

/** A piece under its topic, to open, rename in place, or delete. */
export function TopicContentRow({
  piece,
  index,
  ref,
}: {
  piece: ContentSummary;
  /** Its index in the list, of which only a part is rendered. */
  index: number;
  ref: Ref<HTMLLIElement>;
}) {
  const [isEditing, setEditing] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const rename = useRenameContent(piece);
  const [unsaved, dropUnsaved] = useRejectedText(rejectedTitles(piece.topicId));
  const rejected = unsaved[piece.id];

  function endEdit() {
    setEditing(false);
    dropUnsaved(piece.id);
    afterRender(
      () => editButton.current?.focus(),
      () => editButton.current !== null,
    );
  }

  function save(title: string) {
    endEdit();
    rename.mutate({ title });
  }

  if (isEditing || rejected !== undefined) {
    return (
      <li
        ref={ref}
        data-index={index}
        {...placeRow(piece.id)}
        className="flex min-h-(--row) items-center py-1 not-last:border-b"
      >
        <InlineEdit
          value={piece.title}
          unsaved={rejected}
          label="Content title"
          noun="title"
          maxLength={TITLE_MAX}
          onSave={save}
          onCancel={endEdit}
          className="flex-1"
        />
      </li>
    );
  }
  return (
    <li
      ref={ref}
      data-index={index}
      {...placeRow(piece.id)}
      className="group flex min-h-(--row) items-center gap-x-3 py-1 not-last:border-b md:py-1.5"
    >
      {/* Where a title and its badges do not fit into one line, the badges move below it. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 max-md:py-1">
        <Link
          href={`/content/${piece.id}`}
          title={piece.title}
          dir="auto"
          className="max-w-full grow rounded-xs wrap-anywhere hover:text-link max-md:basis-full md:line-clamp-2"
        >
          {piece.title}
        </Link>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StatusBadge {...CONTENT_STATES[piece.status].badge} />
          <NewerHereBadge piece={piece} />
          <PieceWorkBadge piece={piece} />
          {factsOf(piece).map((fact) => (
            <FactBadge key={fact}>{fact}</FactBadge>
          ))}
        </span>
      </span>
      <span className="-mr-1.5 flex shrink-0">
        <Button
          ref={editButton}
          variant="ghost"
          size="icon-sm"
          aria-label={`Edit title: ${piece.title}`}
          className={QUIET}
          onClick={() => setEditing(true)}
        >
          <Pencil aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Delete ${piece.title}`}
          className={cn(QUIET, "hover:bg-destructive-soft hover:text-destructive")}
          onClick={() => setConfirming(true)}
        >
          <Trash2 aria-hidden="true" />
        </Button>
      </span>
      <DeleteContentDialog piece={piece} open={isConfirming} onOpenChange={setConfirming} />
    </li>
  );
}
