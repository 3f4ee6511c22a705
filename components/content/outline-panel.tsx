"use client";

import { OutlineAssist } from "@/components/content/outline/outline-assist";
import { OutlineCards } from "@/components/content/outline/outline-cards";
import { OutlineViews, useOutlineView } from "@/components/content/outline/outline-views";
import { offerUndo, type Said, withoutChange } from "@/components/content/outline/undo-change";
import { Paper, PaperFoot, paperText } from "@/components/content/paper";
import { textDirection } from "@/components/content/text-direction";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { WritingView } from "@/components/generation/writing-view";
import { useShortcut } from "@/components/shared/use-shortcut";
import { OUTLINE_MAX, outlineFigures } from "@/lib/features/content/rules";
import type { ContentOut } from "@/lib/features/content/schema";
import type { Writing } from "@/lib/features/generation/client/streams";
import { cn } from "@/lib/utils/cn";

type Props = { piece: ContentOut; editor: ContentEditorState };

/** The outline to edit; while the AI writes, its text. */
export function OutlinePanel({ writing, ...props }: Props & { writing: Writing | undefined }) {
  if (!writing) return <OutlineEditor {...props} />;
  return (
    <Paper>
      <div className="min-h-[600px]">
        <WritingView writing={writing} />
      </div>
    </Paper>
  );
}

function OutlineEditor({ piece, editor }: Props) {
  const { outline } = editor.fields;
  const shown = useOutlineView(outline);
  const { view, setView, isTooLong } = shown;
  useShortcut("/", () => (isTooLong ? undefined : setView(view === "cards" ? "source" : "cards")));
  const { sections, points } = outlineFigures(outline);
  const change = (next: string) => editor.edit("outline", next);
  const latest = () => editor.now().outline;

  function takeFromAi(after: string, said: Said) {
    const before = latest();
    change(after);
    offerUndo(said, () => {
      const outline = withoutChange({ before, after, now: latest() });
      if (outline !== null) change(outline);
      return outline !== null;
    });
  }

  return (
    <Paper
      bar={
        <div className="flex flex-wrap items-center gap-x-1 px-3 py-1">
          <OutlineViews {...shown} />
          <OutlineAssist pieceId={piece.id} outline={outline} onAssisted={takeFromAi} />
        </div>
      }
      foot={
        <PaperFoot>
          <span>
            {sections} section{sections === 1 ? "" : "s"}
          </span>
          {points > 0 ? (
            <span>
              {points} point{points === 1 ? "" : "s"}
            </span>
          ) : null}
        </PaperFoot>
      }
    >
      {view === "cards" ? (
        <OutlineCards
          pieceId={piece.id}
          outline={outline}
          latest={latest}
          onChange={change}
          onAssisted={takeFromAi}
          onType={(read, length) => editor.type("outline", read, length)}
        />
      ) : (
        <textarea
          aria-label="Outline"
          dir={textDirection(outline)}
          maxLength={OUTLINE_MAX}
          placeholder={"## First section\nWhat it must deliver, in a line"}
          value={outline}
          onChange={(event) => change(event.target.value)}
          className={cn(paperText, "min-h-[600px]")}
        />
      )}
    </Paper>
  );
}
