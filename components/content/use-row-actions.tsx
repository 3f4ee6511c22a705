"use client";

import { CloudOff, ListTree, Pencil, Send, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DeleteContentDialog } from "@/components/content/delete-content-dialog";
import { PublishAnywayDialog } from "@/components/content/publish-anyway-dialog";
import { isPublishable } from "@/lib/features/content/rules";
import type { ContentSummary } from "@/lib/features/content/schema";
import { isLive } from "@/lib/features/content/states";
import { useGenerateOutline } from "@/lib/features/generation/client";
import { isRemoteChanged, usePublishContent, useUnpublishContent } from "@/lib/features/publishing/client";

export type RowAction = {
  /** The same for publish and unpublish: one button, which keeps the focus when the other begins. */
  id: "edit" | "outline" | "site" | "delete";
  label: string;
  icon: ReactNode;
  href?: string;
  onSelect?: () => void;
  pending?: boolean;
  /** Why it cannot be done now. */
  refused?: string;
  destructive?: boolean;
};

/** What can be done with a row of the library, and the dialogs that belong to it. */
export function useRowActions(piece: ContentSummary): { actions: RowAction[]; dialogs: ReactNode } {
  const [asked, setAsked] = useState<"delete" | "publish" | null>(null);
  const outline = useGenerateOutline();
  const publish = usePublishContent();
  const unpublish = useUnpublishContent();
  const close = () => setAsked(null);

  function startPublish() {
    publish.mutate({ piece }, { onError: (error) => (isRemoteChanged(error) ? setAsked("publish") : undefined) });
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
          onSelect: () => unpublish.mutate(piece),
          pending: unpublish.isPending,
        }
      : {
          id: "site",
          label: "Publish to WordPress",
          icon: <Send aria-hidden="true" />,
          onSelect: startPublish,
          pending: publish.isPending,
          ...(isPublishable(piece) ? {} : { refused: "Write its content first, then publish it" }),
        },
    {
      id: "delete",
      label: "Delete",
      icon: <Trash2 aria-hidden="true" />,
      onSelect: () => setAsked("delete"),
      destructive: true,
    },
  ];

  const dialogs = (
    <>
      <DeleteContentDialog piece={piece} open={asked === "delete"} onOpenChange={close} />
      <PublishAnywayDialog
        open={asked === "publish"}
        onOpenChange={close}
        pending={publish.isPending}
        onConfirm={() => publish.mutate({ piece, force: true }, { onSettled: close })}
      />
    </>
  );
  return { actions, dialogs };
}
