"use client";

import { type RefObject, useDeferredValue, useId, useMemo } from "react";
import { useAssistInText } from "@/components/content/assist/use-assist-in-text";
import { Unsaved } from "@/components/content/editor-header";
import { Paper, PaperFoot, paperText } from "@/components/content/paper";
import { saidOfPaste } from "@/components/content/pasted";
import { StatusField } from "@/components/content/status-field";
import { textDirection } from "@/components/content/text-direction";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { useLinkDialog } from "@/components/content/use-link-dialog";
import { WordGoal } from "@/components/content/word-goal";
import { FieldError } from "@/components/shared/field";
import { type EditorMemory, useMarkdownEditor } from "@/components/shared/markdown-editor/use-markdown-editor";
import { toast } from "@/lib/client/toast";
import { pieceSubject } from "@/lib/features/content/client";
import { BODY_MAX, readingMinutes, TITLE_MAX } from "@/lib/features/content/rules";
import type { ContentOut } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";
import { lengthInWords } from "@/lib/utils/words";

/** Title and body. The status is above them, because below a long body it would be hard to find. */
export function EditPanel({
  piece,
  editor,
  memory,
  titleField,
}: {
  piece: ContentOut;
  editor: ContentEditorState;
  memory: RefObject<EditorMemory>;
  titleField: RefObject<HTMLTextAreaElement | null>;
}) {
  const { fields, titleError, edit } = editor;
  const errorId = useId();
  const subject = pieceSubject(piece.id);
  const assist = useAssistInText(piece.id);
  const link = useLinkDialog();
  const body = useMarkdownEditor({
    label: "Body",
    text: fields.body,
    direction: textDirection(fields.body),
    placeholder: "Begin writing…",
    maxLength: BODY_MAX,
    memory,
    // It reaches to the end of the sheet, so that a click anywhere below the text is a click into it.
    className: cn(paperText, "-mb-(--paper-end) min-h-[400px] pb-(--paper-end) focus-mode:min-h-[70dvh]"),
    onAssist(at, isWritingOn, instruction) {
      assist.open(at, isWritingOn ? "continue" : instruction ? "custom" : undefined, instruction);
    },
    onProposal: assist.onProposal,
    onChange: (read, length) => editor.type("body", read, length),
    onTooLong: () => toast(tooLong(subject)),
    onPasted: (pasted) => toast(saidOfPaste(pasted, subject)),
    onLink: link.open,
    // What says so elsewhere is not on the screen in focus mode.
    trouble: editor.isDirty && (editor.isFailing || editor.conflict) ? <Unsaved>Not saved yet</Unsaved> : null,
  });
  return (
    <Paper
      head={<StatusField piece={piece} editor={editor} />}
      bar={
        <>
          {body.toolbar}
          {assist.bar}
        </>
      }
      foot={
        <PaperFoot>
          <BodyFigures pieceId={piece.id} body={fields.body} />
        </PaperFoot>
      }
    >
      <textarea
        ref={titleField}
        aria-label="Title"
        dir="auto"
        aria-invalid={titleError ? true : undefined}
        aria-describedby={titleError ? errorId : undefined}
        rows={2}
        maxLength={TITLE_MAX}
        value={fields.title}
        onChange={(event) => edit("title", event.target.value.replace(/[\r\n]+/g, " "))}
        className="field-sizing-content supports-[field-sizing:content]:overflow-hidden mb-6 block w-full resize-none rounded-xs bg-transparent font-medium font-serif text-2xl text-paper-foreground tracking-[-0.016em] outline-offset-8 max-md:mb-4 max-md:text-xl"
      />
      {titleError ? (
        <div className="mb-6 font-sans">
          <FieldError id={errorId}>{titleError}</FieldError>
        </div>
      ) : null}
      {body.field}
      {assist.dialog}
      {link.dialog}
    </Paper>
  );
}

const tooLong = (subject: string) => ({
  title: "Nothing was inserted",
  description: `A text has at most ${BODY_MAX.toLocaleString("en-US")} characters. Shorten it first, or divide it into two pieces.`,
  variant: "destructive" as const,
  subject,
});

/** Word count and reading time, deferred so that typing stays fast. */
function BodyFigures(props: { pieceId: string; body: string }) {
  const body = useDeferredValue(props.body);
  const [words, minutes] = useMemo(() => [lengthInWords(body), readingMinutes(body)], [body]);
  return (
    <>
      <WordGoal pieceId={props.pieceId} words={words} />
      {minutes > 0 ? <span>{minutes.toLocaleString("en-US")} min read</span> : null}
    </>
  );
}
