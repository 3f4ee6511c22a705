"use client";

import { type ReactNode, useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { Editor } from "@/components/shared/markdown-editor/create-editor";
import type { LinkTarget } from "@/components/shared/markdown-editor/link-target";
import { toast } from "@/lib/client/toast";

const LinkDialog = lazyDialog(() => import("@/components/content/link-dialog").then((module) => module.LinkDialog));

const PictureDialog = lazyDialog(() =>
  import("@/components/content/picture-dialog").then((module) => module.PictureDialog),
);

type Asked = { editor: Editor; target: LinkTarget; time: number };

/** The dialog for a link or picture of the text in an editor. */
export function useLinkDialog(): { open: (editor: Editor, target: LinkTarget) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);

  const Asking = asked?.target.kind === "picture" ? PictureDialog : LinkDialog;
  const dialog = asked ? (
    <Asking
      key={asked.time}
      open={isOpen}
      onOpenChange={setOpen}
      target={asked.target}
      onTake={(parts) => {
        if (asked.editor.putLink(asked.target, parts)) setOpen(false);
        else toast({ ...CHANGED, subject: "link" });
      }}
    />
  ) : null;
  return {
    dialog,
    open(editor, target) {
      setAsked((last) => ({ editor, target, time: (last?.time ?? 0) + 1 }));
      setOpen(true);
    },
  };
}

const CHANGED = {
  title: "Nothing was changed",
  description: "The text was changed in another window. Copy what you need and close this.",
  variant: "destructive" as const,
};
