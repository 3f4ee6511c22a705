"use client";

import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import { signInAddress, signInAgain } from "@/lib/client/session-end";

/**
 * What components/shared/session-ended.tsx opens. Where the text is kept there is one way on. Where it is not, the page must
 * not be left: a session begun in another tab serves this one too.
 */
export function SessionEndedPanel({
  isKept,
  open,
  onOpenChange,
}: {
  isKept: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <AlertDialog open={open} onOpenChange={(next) => (isKept ? undefined : onOpenChange(next))}>
      <AlertDialogContent>
        <div className="grid gap-2">
          <AlertDialogTitle>Your session has ended</AlertDialogTitle>
          <AlertDialogDescription>
            {isKept
              ? "What you typed is not saved yet. It is kept in this browser, and is back in its place once you have signed in again."
              : "What you typed is not saved yet, and this browser cannot keep it. Sign in in a new tab, then come back here and save it."}
          </AlertDialogDescription>
        </div>
        <DialogFooter>
          {isKept ? (
            // Not a way to cancel, but where Radix puts the focus.
            <AlertDialogCancel asChild>
              <Button onClick={signInAgain}>Sign In</Button>
            </AlertDialogCancel>
          ) : (
            <>
              <AlertDialogCancel asChild>
                <Button variant="outline">Stay Here</Button>
              </AlertDialogCancel>
              <Button asChild>
                <a href={signInAddress()} target="_blank" rel="noreferrer">
                  Sign In in a New Tab
                </a>
              </Button>
            </>
          )}
        </DialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
