"use client";

import { Ellipsis, ExternalLink, Globe, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { CategoryPopover } from "@/components/publishing/category-popover";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { LateDialog } from "@/components/shared/late-dialog";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { onceDrawn } from "@/components/ui/focus-return";
import { Spinner } from "@/components/ui/spinner";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isRemoteChanged, usePublishContent } from "@/lib/features/publishing/client";
import { rowActionOf } from "@/lib/features/publishing/states";
import { late } from "@/lib/utils/late";

const categorySheet = late(() =>
  import("@/components/publishing/category-sheet").then((module) => module.CategorySheet),
);

/** What can be done with one piece: open its post, update it, or publish it into a category. */
export function PieceActions({
  piece,
  topicName,
  isBusy,
  isBulk,
}: {
  piece: ContentSummary;
  topicName: string | undefined;
  /** The piece is on its way, whichever row of it began. */
  isBusy: boolean;
  /** A run of many is under way: nothing else begins. */
  isBulk: boolean;
}) {
  const publish = usePublishContent();
  const isPending = publish.isPending || isBusy;
  const [askedToOverwrite, setAskedToOverwrite] = useState(false);
  const updateButton = useRef<HTMLButtonElement>(null);
  const isOnline = rowActionOf(piece) === "update";
  const isPublishedHere = isOnline && publish.isSuccess;
  useEffect(() => {
    // The button that was pressed has made way for this one, and its popover goes with it.
    if (isPublishedHere) onceDrawn(() => updateButton.current?.focus());
  }, [isPublishedHere]);
  const [isChoosing, setChoosing] = useState(false);
  const update = (force: boolean) =>
    publish.mutate(
      { piece, force },
      { onError: (error) => setAskedToOverwrite(isRemoteChanged(error)), onSuccess: () => setAskedToOverwrite(false) },
    );
  return (
    <>
      <div className="flex flex-wrap items-center gap-1 max-md:hidden md:justify-end">
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
            onClick={() => update(false)}
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
        onUpdate={() => update(false)}
        onPublish={() => setChoosing(true)}
      />
      <LateDialog
        dialog={categorySheet}
        open={isChoosing}
        onOpenChange={setChoosing}
        piece={piece}
        topicName={topicName}
        publish={publish}
      />
      <ConfirmDialog
        open={askedToOverwrite}
        onOpenChange={setAskedToOverwrite}
        title="Overwrite the edited post?"
        description="The post was edited on your WordPress site since it was last published from here. Overwriting replaces that text; WordPress keeps it in the post's own revisions."
        confirmLabel="Overwrite"
        destructive
        pending={publish.isPending}
        onConfirm={() => update(true)}
      />
    </>
  );
}

/** The same on phones, where a row has no room for buttons. */
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
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          className="md:hidden"
          aria-label={`Actions for ${piece.title}`}
          aria-busy={isBusy}
        >
          {isBusy ? <Spinner /> : <Ellipsis aria-hidden="true" />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {rowActionOf(piece) === "update" ? (
          <DropdownMenuItem disabled={isBusy || isBulk} onSelect={onUpdate}>
            <RefreshCw aria-hidden="true" />
            Update
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem disabled={isBusy || isBulk} onSelect={onPublish}>
            <Globe aria-hidden="true" />
            Publish with Category
          </DropdownMenuItem>
        )}
        {piece.wpPermalink ? (
          <DropdownMenuItem asChild>
            <a href={piece.wpPermalink} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden="true" />
              Open the post
            </a>
          </DropdownMenuItem>
        ) : null}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
