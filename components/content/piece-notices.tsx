"use client";

import { PenLine } from "lucide-react";
import { Notice } from "@/components/shared/notice";

/** For a piece that was deleted elsewhere, or that the AI is writing for another page. */
export function PieceNotices({ isGone, isWrittenElsewhere }: { isGone: boolean; isWrittenElsewhere: boolean }) {
  if (isGone) {
    return (
      <Notice live variant="destructive" title="This piece was deleted" className="mt-6">
        It can no longer be saved. What you typed is still here: copy what you need before you leave.
      </Notice>
    );
  }
  if (!isWrittenElsewhere) return null;
  return (
    <Notice live icon={PenLine} title="The AI is writing this piece" className="mt-6">
      This began before the page was opened, in a queue or in another window. The text will appear here by itself.
    </Notice>
  );
}
