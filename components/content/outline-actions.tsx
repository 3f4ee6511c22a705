"use client";

import { ListTree, PenLine } from "lucide-react";
import { useId } from "react";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { WritingProgress } from "@/components/generation/writing-progress";
import { ReasonButton } from "@/components/shared/reason-button";
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
  // A piece with an outline needs no way to one, and a title-only piece has it in its alert.
  const needsWay = !(isShown || hasOutline || piece.isTitleOnly);
  if (!isShown && !needsWay && !writer.writing) return null;
  return (
    <div className={cn("grid content-start gap-6 border-b pb-6", className)}>
      {isShown ? <InOutline editor={editor} writer={writer} refused={!hasOutline && OUTLINE_FIRST} /> : null}
      {needsWay ? <WayToOutline writer={writer} onWriteOwn={onWriteOwn} /> : null}
      {writer.writing ? <WritingProgress writing={writer.writing} /> : null}
    </div>
  );
}

/** As the server refuses it. */
export const OUTLINE_FIRST =
  "This piece has no outline yet. Generate or write an outline first, then write the content from it.";

/** The buttons of the outline's tab; they stay where they are while the field is blank. */
function InOutline({
  editor,
  writer,
  refused,
}: {
  editor: ContentEditorState;
  writer: PieceWriter;
  /** Why nothing can be written from the outline. */
  refused: string | false;
}) {
  const hint = useId();
  return (
    <section
      aria-label="Outline"
      className="grid content-start gap-2 md:max-xl:flex md:max-xl:flex-wrap md:max-xl:items-center"
    >
      {/* On phones it is the main action of the page's bar. */}
      <ReasonButton
        aria-describedby={hint}
        className="max-md:hidden"
        pending={writer.running === "body"}
        disabled={writer.running === "outline"}
        refused={refused}
        onClick={writer.writeBody}
      >
        Write Content with AI
      </ReasonButton>
      <Button variant="outline" pending={editor.isSaving} disabled={writer.isPending} onClick={editor.saveOutline}>
        Save Outline
      </Button>
      <p id={hint} className="my-1 text-muted-foreground text-sm md:max-xl:order-last md:max-xl:basis-full">
        {refused || "Writes the body section by section, which may take a minute or two. Your outline stays as it is."}
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

function WayToOutline({ writer, onWriteOwn }: { writer: PieceWriter; onWriteOwn: () => void }) {
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
      <Button variant="ghost" disabled={writer.isPending} onClick={onWriteOwn}>
        <PenLine aria-hidden="true" />
        Write my own outline
      </Button>
    </section>
  );
}
