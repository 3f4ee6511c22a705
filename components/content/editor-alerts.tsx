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
  tab,
  onOpenTab,
}: {
  piece: ContentOut;
  writer: PieceWriter;
  /** The open one. */
  tab: EditorTab;
  onOpenTab: (tab: "edit" | "outline") => void;
}) {
  const failure = piece.status === "wp_failed" ? piece.publishError : null;
  if (!failure && !piece.isTitleOnly) return null;
  const to = TO[tab];
  // Where the text can be begun, it is the outline that the notice offers.
  const isWriting = tab === "edit";
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
            <div className="flex gap-2 max-md:flex-col">
              {/* Its key is the tab, so that the focus goes to the opened tab and a held key does not lead back. */}
              <Button
                key={to.tab}
                variant={isWriting ? "ghost" : "outline"}
                size="sm"
                onClick={() => onOpenTab(to.tab)}
              >
                {to.label}
              </Button>
              {piece.isOutline || tab === "outline" ? null : (
                <GenerateOutlineButton writer={writer} variant={isWriting ? "outline" : "ghost"} size="sm" />
              )}
            </div>
          }
        >
          {piece.isOutline
            ? `This piece has a title and an outline, and no text yet. ${to.fromOutline}`
            : `This piece has a title and no text yet. ${to.fromTitle}`}
        </Notice>
      ) : null}
    </div>
  );
}

export type EditorTab = "edit" | "preview" | "outline" | "seo";

const TO_OUTLINE = {
  tab: "outline",
  label: "Go to the Outline tab",
  fromOutline: "Begin here, or let the AI write it from the outline in the Outline tab.",
  fromTitle: "Begin here, or plan it first in the Outline tab.",
} as const;

const WRITE_IT = "Write it in the Edit tab.";
const TO_EDIT = { tab: "edit", label: "Go to the Edit tab", fromOutline: WRITE_IT, fromTitle: WRITE_IT } as const;

/** Where the text can be written from each tab, by what there is to begin with. */
const TO = {
  edit: TO_OUTLINE,
  preview: TO_EDIT,
  seo: TO_EDIT,
  outline: {
    ...TO_EDIT,
    fromOutline: "Let the AI write it from the outline, or begin in the Edit tab.",
    fromTitle: "Plan it here, or begin in the Edit tab.",
  },
} satisfies Record<EditorTab, { tab: EditorTab; label: string; fromOutline: string; fromTitle: string }>;
