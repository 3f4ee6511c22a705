"use client";

import { type ReactNode, useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import type { LinkParts, LinkTarget } from "@/components/shared/markdown-editor/link-target";
import { toast } from "@/lib/client/toast";

const LinkDialog = lazyDialog(() => import("@/components/content/link-dialog").then((module) => module.LinkDialog));

const PictureDialog = lazyDialog(() =>
  import("@/components/content/picture-dialog").then((module) => module.PictureDialog),
);

/** The dialog for a link or picture. `take` puts it in the text; false if the text has changed there meanwhile. */
export function useLinkDialog(take: (target: LinkTarget, parts: LinkParts | null) => boolean): {
  open: (target: LinkTarget) => void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<{ target: LinkTarget; time: number } | null>(null);
  const [isOpen, setOpen] = useState(false);

  const Asking = asked?.target.kind === "picture" ? PictureDialog : LinkDialog;
  const dialog = asked ? (
    <Asking
      key={asked.time}
      open={isOpen}
      onOpenChange={setOpen}
      target={asked.target}
      onTake={(parts) => {
        if (take(asked.target, parts)) setOpen(false);
        else toast({ ...CHANGED, subject: "link" });
      }}
    />
  ) : null;
  return {
    dialog,
    open(target) {
      setAsked((last) => ({ target, time: (last?.time ?? 0) + 1 }));
      setOpen(true);
    },
  };
}

const CHANGED = {
  title: "Nothing was changed",
  description: "The text was changed in another window. Copy what you need and close this.",
  variant: "destructive" as const,
};
