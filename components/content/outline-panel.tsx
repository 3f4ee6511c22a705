"use client";

import { OutlineViews, useOutlineView } from "@/components/content/outline/outline-views";
import { Paper, PaperFoot, paperText } from "@/components/content/paper";
import { textDirection } from "@/components/content/text-direction";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { WritingView } from "@/components/generation/writing-view";
import { useShortcut } from "@/components/shared/use-shortcut";
import { OUTLINE_MAX, outlineFigures } from "@/lib/features/content/rules";
import type { ContentOut } from "@/lib/features/content/schema";
import type { Writing } from "@/lib/features/generation/client";
import { cn } from "@/lib/utils/cn";
import { lazyModule, useLazyPopup } from "@/lib/utils/lazy-module";

const cards = lazyModule(() =>
  import("@/components/content/outline/outline-cards").then((module) => module.OutlineCards),
);

/** The outline to edit; while the AI writes, its text. */
export function OutlinePanel({
  piece,
  editor,
  writing,
}: {
  piece: ContentOut;
  editor: ContentEditorState;
  writing: Writing | undefined;
}) {
  const [view, setView] = useOutlineView();
  const Cards = useLazyPopup(cards, view === "cards", () => setView("source"));
  useShortcut("/", () => setView(view === "cards" ? "source" : "cards"));
  if (writing) {
    return (
      <Paper>
        <WritingView writing={writing} />
      </Paper>
    );
  }
  const { outline } = editor.fields;
  const { sections, points } = outlineFigures(outline);
  return (
    <Paper
      bar={<OutlineViews view={view} onChange={setView} />}
      foot={
        <PaperFoot savedAt={editor.isDirty ? null : piece.updatedAt}>
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
      {view === "cards" && Cards ? (
        <Cards pieceId={piece.id} outline={outline} onChange={(next) => editor.edit("outline", next)} />
      ) : (
        <textarea
          aria-label="Outline"
          dir={textDirection(outline)}
          maxLength={OUTLINE_MAX}
          placeholder={"## First section\nWhat it must deliver, in a line"}
          value={outline}
          onChange={(event) => editor.edit("outline", event.target.value)}
          className={cn(paperText, "min-h-[600px]")}
        />
      )}
    </Paper>
  );
}
