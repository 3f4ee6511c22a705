"use client";

import { AlertPanel } from "@/components/shared/alert-panel";
import { AlertDialogCancel } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { signInAddress, signInAgain } from "@/lib/client/session-end";

/**
 * Loaded when components/shared/session-ended.tsx first opens. If the browser cannot keep the text, the user signs in in
 * another tab, so that this page stays.
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
    <AlertPanel
      open={open}
      onOpenChange={(next) => (isKept ? undefined : onOpenChange(next))}
      title="Your session has ended"
      description={
        isKept
          ? "What you typed is not saved yet. It is kept in this browser, and is back in its place once you have signed in again."
          : "What you typed is not saved yet, and this browser cannot keep it. Sign in in a new tab, then come back here and save it."
      }
    >
      {isKept ? (
        // It cancels nothing, but Radix focuses the Cancel button.
        <AlertDialogCancel variant="default" onClick={signInAgain}>
          Sign In
        </AlertDialogCancel>
      ) : (
        <>
          <AlertDialogCancel>Stay Here</AlertDialogCancel>
          <Button asChild>
            <a href={signInAddress()} target="_blank" rel="noreferrer">
              Sign In in a New Tab
            </a>
          </Button>
        </>
      )}
    </AlertPanel>
  );
}
