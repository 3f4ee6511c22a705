"use client";

import { ExternalLink, Globe, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { CategoryPopover } from "@/components/publishing/category-popover";
import { usePostUpdate } from "@/components/publishing/use-post-update";
import { ActionMenu } from "@/components/shared/action-menu";
import type { MenuAction } from "@/components/shared/action-menu-panel";
import { afterRender } from "@/components/shared/focus-return";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { Button } from "@/components/ui/button";
import type { ContentSummary } from "@/lib/features/content/schema";
import { usePublishContent } from "@/lib/features/publishing/client";
import { rowActionOf } from "@/lib/features/publishing/states";

const CategorySheet = lazyDialog(() =>
  import("@/components/publishing/category-sheet").then((module) => module.CategorySheet),
);

/** Opens a piece's post, updates it, or publishes the piece into a category. */
export function PieceActions({
  piece,
  topicName,
  isBusy,
  isBulk,
}: {
  piece: ContentSummary;
  topicName: string | undefined;
  /** True while the piece is being published, from this row or another one of it. */
  isBusy: boolean;
  /** True while many pieces are being published. */
  isBulk: boolean;
}) {
  const publish = usePublishContent();
  const update = usePostUpdate(piece, publish, piece);
  const isPending = publish.isPending || isBusy;
  const updateButton = useRef<HTMLButtonElement>(null);
  const isOnline = rowActionOf(piece) === "update";
  const isPublishedHere = isOnline && publish.isSuccess;
  useEffect(() => {
    // The pressed button and its popover were replaced by this button.
    if (isPublishedHere) afterRender(() => updateButton.current?.focus());
  }, [isPublishedHere]);
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center justify-end gap-1 max-xl:hidden">
        {piece.wpPermalink ? (
          <Button asChild variant="ghost" size="icon-sm">
            <a href={piece.wpPermalink} target="_blank" rel="noreferrer" aria-label={`Open the post “${piece.title}”`}>
              <ExternalLink aria-hidden="true" />
            </a>
          </Button>
        ) : null}
        {isOnline ? (
          <Button
            ref={updateButton}
            variant="outline"
            size="sm"
            disabled={isBulk}
            pending={isPending}
            onClick={update.ask}
          >
            Update
          </Button>
        ) : (
          <CategoryPopover
            piece={piece}
            topicName={topicName}
            publish={publish}
            disabled={isBulk}
            pending={isPending}
          />
        )}
      </div>
      <PieceMenu
        piece={piece}
        isBusy={isPending}
        isBulk={isBulk}
        onUpdate={update.ask}
        onPublish={() => setChoosing(true)}
      />
      <CategorySheet
        open={isChoosing}
        onOpenChange={setChoosing}
        piece={piece}
        topicName={topicName}
        publish={publish}
      />
      {update.dialogs}
    </>
  );
}

/** A menu of the same actions, where a row has no room for buttons. */
function PieceMenu({
  piece,
  isBusy,
  isBulk,
  onUpdate,
  onPublish,
}: {
  piece: ContentSummary;
  isBusy: boolean;
  isBulk: boolean;
  onUpdate: () => void;
  onPublish: () => void;
}) {
  const isUpdate = rowActionOf(piece) === "update";
  const publishing: MenuAction = {
    id: "publish",
    label: isUpdate ? "Update" : "Publish with Category",
    icon: isUpdate ? <RefreshCw aria-hidden="true" /> : <Globe aria-hidden="true" />,
    onSelect: isUpdate ? onUpdate : onPublish,
    disabled: isBusy || isBulk,
  };
  return (
    <ActionMenu
      label={`Actions for ${piece.title}`}
      isBusy={isBusy}
      className="xl:hidden"
      actions={piece.wpPermalink ? [publishing, { ...OPEN_POST, href: piece.wpPermalink }] : [publishing]}
    />
  );
}

const OPEN_POST = { label: "Open the post", icon: <ExternalLink aria-hidden="true" />, newWindow: true };
