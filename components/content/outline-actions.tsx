"use client";

import { ListTree, PenLine } from "lucide-react";
import { useId } from "react";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { WritingProgress } from "@/components/generation/writing-progress";
import { Button } from "@/components/ui/button";
import type { ContentOut } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";

/** The AI's part beside the text: how far it is, what it can do with the outline, the way to a first one. */
export function OutlineActions({
  piece,
  editor,
  writer,
  isShown,
  onWriteOwn,
  className,
}: {
  piece: ContentOut;
  editor: ContentEditorState;
  writer: PieceWriter;
  /** The outline's tab is open. */
  isShown: boolean;
  onWriteOwn: () => void;
  className?: string;
}) {
  const hasOutline = !isBlank(editor.fields.outline);
  // Elsewhere a piece with an outline needs no way to one, and a title-only piece has it in its alert.
  const hasWays = isShown || !(hasOutline || piece.isTitleOnly);
  if (!hasWays && !writer.writing) return null;
  return (
    <div className={cn("grid content-start gap-6 border-b pb-6", className)}>
      {hasWays && hasOutline ? <WithOutline editor={editor} writer={writer} /> : null}
      {hasWays && !hasOutline ? <WithoutOutline writer={writer} onWriteOwn={isShown ? undefined : onWriteOwn} /> : null}
      {writer.writing ? <WritingProgress writing={writer.writing} /> : null}
    </div>
  );
}

function WithOutline({ editor, writer }: { editor: ContentEditorState; writer: PieceWriter }) {
  const hint = useId();
  return (
    <section aria-label="Outline" className="grid content-start gap-2">
      {/* On phones it is the main action of the page's bar. */}
      <Button
        aria-describedby={hint}
        className="max-md:hidden"
        pending={writer.running === "body"}
        disabled={writer.running === "outline"}
        onClick={writer.writeBody}
      >
        Write Content with AI
      </Button>
      <Button variant="outline" pending={editor.isSaving} disabled={writer.isPending} onClick={editor.saveOutline}>
        Save Outline
      </Button>
      <p id={hint} className="my-1 text-muted-foreground text-sm">
        Writes the body section by section, which may take a minute or two. Your outline stays as it is.
      </p>
      <Button
        variant="ghost"
        pending={writer.running === "outline"}
        disabled={writer.running === "body"}
        onClick={writer.generateOutline}
      >
        <ListTree aria-hidden="true" />
        Generate Outline
      </Button>
    </section>
  );
}

function WithoutOutline({ writer, onWriteOwn }: { writer: PieceWriter; onWriteOwn?: () => void }) {
  return (
    <section aria-label="Outline" className="grid content-start gap-2">
      <h2 className="font-medium">Outline</h2>
      <p className="mb-1 text-muted-foreground text-sm">
        None yet. The AI can plan one from the title, and write the body from it afterwards.
      </p>
      <Button variant="outline" pending={writer.running === "outline"} onClick={writer.generateOutline}>
        <ListTree aria-hidden="true" />
        Generate Outline
      </Button>
      {onWriteOwn ? (
        <Button variant="ghost" disabled={writer.isPending} onClick={onWriteOwn}>
          <PenLine aria-hidden="true" />
          Write my own outline
        </Button>
      ) : null}
    </section>
  );
}
