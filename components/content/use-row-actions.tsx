"use client";

import { CloudOff, ListTree, Pencil, Send, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DeleteContentDialog } from "@/components/content/delete-content-dialog";
import { PublishAnywayDialog } from "@/components/content/publish-anyway-dialog";
import { SiteChangeDialog } from "@/components/content/site-change-dialog";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isLive } from "@/lib/features/content/states";
import { useGenerateOutline } from "@/lib/features/generation/client/mutations";
import { isRemoteChanged, usePublishContent, useUnpublishContent } from "@/lib/features/publishing/client";
import { isPublishable } from "@/lib/features/publishing/rules";

export type RowAction = {
  /** Publish and unpublish share one, so that the button keeps the focus. */
  id: "edit" | "outline" | "site" | "delete";
  label: string;
  icon: ReactNode;
  href?: string;
  onSelect?: () => void;
  pending?: boolean;
  disabledReason?: string;
  destructive?: boolean;
};

/** The actions of a library row, and their dialogs. */
export function useRowActions(piece: ContentSummary): { actions: RowAction[]; dialogs: ReactNode } {
  const [openDialog, setOpenDialog] = useState<"delete" | "publish" | "unpublish" | "overwrite" | null>(null);
  const outline = useGenerateOutline();
  const publish = usePublishContent();
  const unpublish = useUnpublishContent();
  const close = () => setOpenDialog(null);

  function startPublish() {
    publish.mutate(
      { piece },
      { onError: (error) => (isRemoteChanged(error) ? setOpenDialog("overwrite") : undefined) },
    );
  }

  const isOnline = isLive(piece);
  const actions: RowAction[] = [
    { id: "edit", label: "Edit", icon: <Pencil aria-hidden="true" />, href: `/content/${piece.id}` },
    ...(piece.isOutline
      ? []
      : [
          {
            id: "outline" as const,
            label: "Generate outline",
            icon: <ListTree aria-hidden="true" />,
            onSelect: () => outline.mutate(piece),
            pending: outline.isPending,
          },
        ]),
    isOnline
      ? {
          id: "site",
          label: "Unpublish from WordPress",
          icon: <CloudOff aria-hidden="true" />,
          onSelect: () => setOpenDialog("unpublish"),
          pending: unpublish.isPending,
        }
      : {
          id: "site",
          label: "Publish to WordPress",
          icon: <Send aria-hidden="true" />,
          onSelect: () => setOpenDialog("publish"),
          pending: publish.isPending,
          ...(isPublishable(piece) ? {} : { disabledReason: "Write its content first, then publish it" }),
        },
    {
      id: "delete",
      label: "Delete",
      icon: <Trash2 aria-hidden="true" />,
      onSelect: () => setOpenDialog("delete"),
      destructive: true,
    },
  ];

  const dialogs = (
    <>
      <DeleteContentDialog piece={piece} open={openDialog === "delete"} onOpenChange={close} />
      <SiteChangeDialog
        verb="publish"
        what={piece}
        open={openDialog === "publish"}
        onOpenChange={close}
        onConfirm={startPublish}
      />
      <SiteChangeDialog
        verb="unpublish"
        what={piece}
        open={openDialog === "unpublish"}
        onOpenChange={close}
        onConfirm={() => unpublish.mutate(piece)}
      />
      <PublishAnywayDialog
        open={openDialog === "overwrite"}
        onOpenChange={close}
        pending={publish.isPending}
        onConfirm={() => publish.mutate({ piece, force: true }, { onSettled: close })}
      />
    </>
  );
  return { actions, dialogs };
}
