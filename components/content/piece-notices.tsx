"use client";

import { PenLine } from "lucide-react";
import { Alert } from "@/components/ui/alert";

/** What has become of the open piece elsewhere: it was deleted, or the AI is at work on it. */
export function PieceNotices({ isGone, isWrittenElsewhere }: { isGone: boolean; isWrittenElsewhere: boolean }) {
  if (isGone) {
    return (
      <Alert live variant="destructive" title="This piece was deleted" className="mt-6">
        It cannot be saved any more. What you typed is still here: copy what you need before you leave.
      </Alert>
    );
  }
  if (!isWrittenElsewhere) return null;
  return (
    <Alert live icon={PenLine} title="The AI is writing this piece" className="mt-6">
      It was asked to before this page was opened, or in another window. The text comes here by itself.
    </Alert>
  );
}
