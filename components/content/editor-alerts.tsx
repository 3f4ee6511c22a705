import { PenLine } from "lucide-react";
import { GenerateOutlineButton } from "@/components/content/outline-actions";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import type { ContentOut } from "@/lib/features/content/schema";

/** Warns of a title-only piece and of a failed publish. */
export function EditorAlerts({
  piece,
  writer,
  onWriteOutline,
}: {
  piece: ContentOut;
  writer: PieceWriter;
  /** Opens the Outline tab; absent if it is open. */
  onWriteOutline?: () => void;
}) {
  const failure = piece.status === "wp_failed" ? piece.publishError : null;
  if (!failure && !piece.isTitleOnly) return null;
  return (
    // On phones its border is also the top of the sheet below.
    <div className="mt-6 grid gap-4 max-md:-mx-4 max-md:border-b max-md:px-4 max-md:pb-6">
      {failure ? (
        <Notice variant="destructive" title="The last publish failed">
          {failure}
        </Notice>
      ) : null}
      {piece.isTitleOnly ? (
        <Notice
          variant="warning"
          icon={PenLine}
          title="Title-Only Content"
          action={
            piece.isOutline || !onWriteOutline ? null : (
              <div className="flex gap-2 max-md:flex-col">
                <Button variant="ghost" size="sm" disabled={writer.isPending} onClick={onWriteOutline}>
                  <PenLine aria-hidden="true" />
                  Write my own outline
                </Button>
                <GenerateOutlineButton writer={writer} variant="outline" size="sm" />
              </div>
            )
          }
        >
          {piece.isOutline
            ? "This piece has a title and an outline, and no text yet. Write it from the outline, or begin in the Edit tab."
            : "This piece is an idea: it has a title and nothing under it yet. Write the body here, or start with an outline."}
        </Notice>
      ) : null}
    </div>
  );
}
