"use client";

import { PenLine } from "lucide-react";
import { Alert } from "@/components/ui/alert";

/** What happened to the open piece elsewhere: it was deleted, or the AI is writing it. */
export function PieceNotices({ isGone, isWrittenElsewhere }: { isGone: boolean; isWrittenElsewhere: boolean }) {
  if (isGone) {
    return (
      <Alert live variant="destructive" title="This piece was deleted" className="mt-6">
        It can no longer be saved. What you typed is still here: copy what you need before you leave.
      </Alert>
    );
  }
  if (!isWrittenElsewhere) return null;
  return (
    <Alert live icon={PenLine} title="The AI is writing this piece" className="mt-6">
      This began before the page was opened, in a queue or in another window. The text will appear here by itself.
    </Alert>
  );
}
