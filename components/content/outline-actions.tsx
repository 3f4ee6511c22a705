"use client";

import { ListTree, PenLine } from "lucide-react";
import { type ComponentProps, useId } from "react";
import { CallStyleFields } from "@/components/content/call-style-fields";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import type { PieceWriter } from "@/components/content/use-piece-writer";
import { WritingProgress } from "@/components/generation/writing-progress";
import { ReasonButton } from "@/components/shared/reason-button";
import { Button } from "@/components/ui/button";
import type { ContentOut } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";

/** The actions beside the text: writing from the outline and creating a first one, with the AI's progress. */
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
  /** True if the Outline tab is open. */
  isShown: boolean;
  onWriteOwn: () => void;
  className?: string;
}) {
  const hasOutline = !isBlank(editor.fields.outline);
  // A title-only piece has these buttons in its alert.
  const needsOutline = !(isShown || hasOutline || piece.isTitleOnly);
  if (!isShown && !needsOutline && !writer.writing) return null;
  return (
    <div className={cn("grid content-start gap-6 border-b pb-6", className)}>
      {isShown ? (
        <OutlineButtons
          editor={editor}
          writer={writer}
          canGoOn={hasOutline && piece.hasBody}
          disabledReason={!hasOutline && OUTLINE_FIRST}
        />
      ) : null}
      {needsOutline ? <FirstOutline writer={writer} onWriteOwn={onWriteOwn} /> : null}
      {writer.writing ? (
        <WritingProgress writing={writer.writing} onStop={writer.stop} isStopping={writer.isStopping} />
      ) : null}
    </div>
  );
}

/** The server's error message. */
export const OUTLINE_FIRST =
  "This piece has no outline yet. Generate or write an outline first, then write the content from it.";

/** The buttons of the Outline tab. */
function OutlineButtons({
  editor,
  writer,
  canGoOn,
  disabledReason,
}: {
  editor: ContentEditorState;
  writer: PieceWriter;
  /** True if there is a text that may lack sections. */
  canGoOn: boolean;
  /** Why no content can be written. */
  disabledReason: string | false;
}) {
  const hint = useId();
  return (
    <section
      aria-label="Outline"
      className="grid content-start gap-2 md:max-xl:flex md:max-xl:flex-wrap md:max-xl:items-center"
    >
      {/* On phones it is the main action in the bar. */}
      <ReasonButton
        aria-describedby={hint}
        className="max-md:hidden"
        pending={writer.running === "body"}
        disabled={writer.running === "outline"}
        disabledReason={disabledReason}
        onClick={writer.writeBody}
      >
        Write Content with AI
      </ReasonButton>
      {canGoOn ? (
        <Button
          variant="outline"
          disabled={writer.isPending}
          title="Writes the sections that the body does not have yet"
          onClick={writer.continueWriting}
        >
          Go on writing
        </Button>
      ) : null}
      <p id={hint} className="my-1 text-muted-foreground text-sm md:max-xl:order-last md:max-xl:basis-full">
        {disabledReason ||
          "Writes the body section by section, which may take a minute or two. Your outline stays as it is."}
      </p>
      <Button
        variant="ghost"
        className={GHOST}
        pending={editor.isSaving}
        disabled={writer.isPending}
        onClick={editor.saveOutline}
      >
        Save Outline
      </Button>
      <GenerateOutlineButton writer={writer} variant="ghost" className={GHOST} />
      <CallStyleFields style={writer.style} onChange={writer.setStyle} />
    </section>
  );
}

/** Its words begin where those above it do. */
const GHOST = "justify-self-start max-md:-ml-3.5 xl:-ml-3.5";

export function GenerateOutlineButton({
  writer,
  ...props
}: { writer: PieceWriter } & Pick<ComponentProps<typeof Button>, "variant" | "size" | "className">) {
  return (
    <Button
      pending={writer.running === "outline"}
      disabled={writer.running === "body"}
      onClick={writer.generateOutline}
      {...props}
    >
      <ListTree aria-hidden="true" />
      Generate Outline
    </Button>
  );
}

function FirstOutline({ writer, onWriteOwn }: { writer: PieceWriter; onWriteOwn: () => void }) {
  return (
    <section aria-label="Outline" className="grid content-start gap-2">
      <h2 className="font-medium">Outline</h2>
      <p className="mb-1 text-muted-foreground text-sm">
        None yet. The AI can plan one from the title, and write the body from it afterwards.
      </p>
      <GenerateOutlineButton writer={writer} variant="outline" />
      <Button variant="ghost" disabled={writer.isPending} onClick={onWriteOwn}>
        <PenLine aria-hidden="true" />
        Write my own outline
      </Button>
    </section>
  );
}
