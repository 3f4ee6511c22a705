"use client";

import { History } from "lucide-react";
import { useState } from "react";
import { LateDialog, opensDialog } from "@/components/shared/late-dialog";
import { Button } from "@/components/ui/button";
import { late } from "@/lib/utils/late";

const revisions = late(() => import("@/components/content/revision-dialog").then((module) => module.RevisionDialog));

/** Earlier texts of the piece, newest first, each to take back. */
export function RevisionHistory({ pieceId }: { pieceId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" size="sm" className="max-md:w-full" {...opensDialog(isOpen, () => setOpen(true))}>
        <History aria-hidden="true" />
        Revision history
      </Button>
      <LateDialog dialog={revisions} pieceId={pieceId} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
