"use client";

import { useDeferredValue, useId, useMemo } from "react";
import { Paper, PaperFoot, paperText } from "@/components/content/paper";
import { StatusField } from "@/components/content/status-field";
import { textDirection } from "@/components/content/text-direction";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { FieldError } from "@/components/shared/field";
import { BODY_MAX, readingMinutes, TITLE_MAX } from "@/lib/features/content/rules";
import type { ContentOut } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";
import { countWords } from "@/lib/utils/text";

/** Title and body. The status is above them, because below a long body it would be hard to find. */
export function EditPanel({ piece, editor }: { piece: ContentOut; editor: ContentEditorState }) {
  const { fields, titleError, edit } = editor;
  const errorId = useId();
  return (
    <Paper
      head={<StatusField piece={piece} editor={editor} />}
      foot={
        <PaperFoot savedAt={piece.updatedAt}>
          <BodyFigures body={fields.body} />
        </PaperFoot>
      }
    >
      <textarea
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
      <textarea
        aria-label="Body"
        dir={textDirection(fields.body)}
        maxLength={BODY_MAX}
        placeholder="Begin writing…"
        value={fields.body}
        onChange={(event) => edit("body", event.target.value)}
        className={cn(paperText, "min-h-[400px]")}
      />
    </Paper>
  );
}

/** Word count and reading time, deferred so that typing stays fast. */
function BodyFigures(props: { body: string }) {
  const body = useDeferredValue(props.body);
  const [words, minutes] = useMemo(() => [countWords(body), readingMinutes(body)], [body]);
  return (
    <>
      <span>
        {words.toLocaleString("en-US")} word{words === 1 ? "" : "s"}
      </span>
      {minutes > 0 ? <span>{minutes.toLocaleString("en-US")} min read</span> : null}
    </>
  );
}
