import { ListTree, PenLine } from "lucide-react";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { ContentOut } from "@/lib/features/content/schema";

/** What a person must know about the piece before they go on: it is only a title; its last publish failed. */
export function EditorAlerts({
  piece,
  writer,
  onWriteOutline,
}: {
  piece: ContentOut;
  writer: PieceWriter;
  /** Opens the outline's tab for writing by hand; absent when that is open already. */
  onWriteOutline?: () => void;
}) {
  const failure = piece.status === "wp_failed" ? piece.publishError : null;
  if (!failure && !piece.isTitleOnly) return null;
  return (
    // On phones the sheet under it begins with this line.
    <div className="mt-6 grid gap-4 max-md:-mx-4 max-md:border-b max-md:px-4 max-md:pb-6">
      {failure ? (
        <Alert variant="destructive" title="The last publish failed">
          {failure}
        </Alert>
      ) : null}
      {piece.isTitleOnly ? (
        <Alert
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
                <Button
                  variant="outline"
                  size="sm"
                  pending={writer.running === "outline"}
                  disabled={writer.running === "body"}
                  onClick={writer.generateOutline}
                >
                  <ListTree aria-hidden="true" />
                  Generate Outline
                </Button>
              </div>
            )
          }
        >
          {piece.isOutline
            ? "This piece has a title and an outline, and no text yet. Write it from the outline, or begin in the Edit tab."
            : "This piece is an idea: it has a title and nothing under it yet. Write the body here, or start with an outline."}
        </Alert>
      ) : null}
    </div>
  );
}
