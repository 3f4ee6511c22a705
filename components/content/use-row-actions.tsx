"use client";

import { CloudOff, ListTree, Pencil, Send, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DeleteContentDialog } from "@/components/content/delete-content-dialog";
import { useSiteChange } from "@/components/content/use-site-change";
import type { ContentSummary } from "@/lib/features/content/schema";
import { useGenerateOutline } from "@/lib/features/generation/client/mutations";
import { BODY_FIRST, isPublishable } from "@/lib/features/publishing/rules";

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
  const [isDeleting, setDeleting] = useState(false);
  const outline = useGenerateOutline();
  const site = useSiteChange(piece, piece);
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
    site.isOnline
      ? {
          id: "site",
          label: "Unpublish from WordPress",
          icon: <CloudOff aria-hidden="true" />,
          onSelect: site.ask,
          pending: site.isPending,
        }
      : {
          id: "site",
          label: "Publish to WordPress",
          icon: <Send aria-hidden="true" />,
          onSelect: site.ask,
          pending: site.isPending,
          ...(isPublishable(piece) ? {} : { disabledReason: BODY_FIRST }),
        },
    {
      id: "delete",
      label: "Delete",
      icon: <Trash2 aria-hidden="true" />,
      onSelect: () => setDeleting(true),
      destructive: true,
    },
  ];

  const dialogs = (
    <>
      <DeleteContentDialog piece={piece} open={isDeleting} onOpenChange={setDeleting} />
      {site.dialogs}
    </>
  );
  return { actions, dialogs };
}
