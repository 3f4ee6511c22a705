"use client";

import type { ContentEditorState } from "@/components/content/use-content-editor";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";

/** The piece was saved elsewhere since it was opened here. Whichever text is chosen, the other stays as a revision. */
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
    <AlertDialog open={open} onOpenChange={(next) => (isSaving ? undefined : onOpenChange(next))}>
      <AlertDialogContent className="md:max-w-lg">
        <div className="grid gap-2">
          <AlertDialogTitle>This piece was changed elsewhere</AlertDialogTitle>
          <AlertDialogDescription>
            Another window, or the AI, saved a newer text while you were editing. Keep yours and it becomes the piece;
            or take the other one. Neither is lost: the one you leave stays in the revision history.
          </AlertDialogDescription>
        </div>
        <DialogFooter className="flex-wrap">
          <AlertDialogCancel asChild>
            <Button variant="ghost" disabled={isSaving}>
              Go on editing
            </Button>
          </AlertDialogCancel>
          <Button variant="outline" disabled={isSaving} onClick={takeTheirs}>
            Take the other version
          </Button>
          <Button pending={isSaving} onClick={keepMine}>
            Keep mine
          </Button>
        </DialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
