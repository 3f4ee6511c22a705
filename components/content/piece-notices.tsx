"use client";

import { PenLine } from "lucide-react";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";

/** Says that the piece was deleted or changed elsewhere, or that the AI is writing it for another page. */
export function PieceNotices({
  isGone,
  isWrittenElsewhere,
  writer,
  onDecide,
}: {
  isGone: boolean;
  isWrittenElsewhere: boolean;
  writer: PieceWriter;
  /** Opens the question about two versions that have changed the same lines. */
  onDecide?: (() => void) | undefined;
}) {
  if (isGone) {
    return (
      <Notice live variant="destructive" title="This piece was deleted" className="mt-6">
        It can no longer be saved. What you typed is still here: copy what you need before you leave.
      </Notice>
    );
  }
  if (onDecide) {
    return (
      <Notice
        live
        variant="warning"
        title="This piece was changed elsewhere"
        className="mt-6"
        action={
          <Button variant="outline" size="sm" onClick={onDecide}>
            Compare and choose
          </Button>
        }
      >
        The same lines were changed in another window, or by the AI. What you type stays in this browser until you have
        chosen.
      </Notice>
    );
  }
  if (!isWrittenElsewhere) return null;
  return (
    <Notice
      live
      icon={PenLine}
      title="The AI is writing this piece"
      className="mt-6"
      action={
        <Button variant="outline" size="sm" pending={writer.isStopping} onClick={writer.stop}>
          Stop
        </Button>
      }
    >
      This began before the page was opened, in a queue or in another window. The text will appear here by itself.
    </Notice>
  );
}
