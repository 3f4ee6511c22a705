"use client";

import { History } from "lucide-react";
import { useState } from "react";
import { dialogTriggerProps, lazyDialog } from "@/components/shared/lazy-dialog";
import { Button } from "@/components/ui/button";

const RevisionDialog = lazyDialog(() =>
  import("@/components/content/revision-dialog").then((module) => module.RevisionDialog),
);

/** "Revision history" and its dialog. */
export function RevisionHistory({ pieceId, className }: { pieceId: string; className?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" size="sm" className={className} {...dialogTriggerProps(isOpen, () => setOpen(true))}>
        <History aria-hidden="true" />
        Revision history
      </Button>
      <RevisionDialog pieceId={pieceId} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
