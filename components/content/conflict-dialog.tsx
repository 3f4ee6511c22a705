"use client";

import type { ContentEditorState } from "@/components/content/use-content-editor";
import { AlertPanel } from "@/components/shared/alert-panel";
import { AlertDialogCancel } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

/** For a piece that was saved elsewhere since it was opened here: keeps one text, and the other as a revision. */
export function ConflictDialog({
  open,
  onOpenChange,
  editor,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  editor: ContentEditorState;
}) {
  const { isSaving, keepMine, takeTheirs } = editor;
  return (
    <AlertPanel
      open={open}
      onOpenChange={(next) => (isSaving ? undefined : onOpenChange(next))}
      className="md:max-w-lg"
      footerClassName="flex-wrap"
      title="This piece was changed elsewhere"
      description="Another window, or the AI, saved a newer text while you were editing. Keep yours and it becomes the piece; or take the other one. Neither is lost: the one you leave stays in the revision history."
    >
      <AlertDialogCancel variant="ghost" disabled={isSaving}>
        Go on editing
      </AlertDialogCancel>
      <Button variant="outline" disabled={isSaving} onClick={takeTheirs}>
        Take the other version
      </Button>
      <Button pending={isSaving} onClick={keepMine}>
        Keep mine
      </Button>
    </AlertPanel>
  );
}
