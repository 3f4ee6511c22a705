"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { dialogTriggerProps } from "@/components/shared/lazy-dialog";
import { ReasonButton } from "@/components/shared/reason-button";
import { useEndOtherSessions } from "@/lib/features/account/sessions/client";

/** "Sign out everywhere else", with a confirmation. `others`: the number of other sessions. */
export function EndOtherSessions({ others }: { others: number }) {
  const [isConfirming, setConfirming] = useState(false);
  const end = useEndOtherSessions();
  const close = () => setConfirming(false);
  return (
    <>
      <ReasonButton
        variant="outline"
        disabledReason={others === 0 && "You are signed in nowhere else."}
        {...dialogTriggerProps(isConfirming, () => setConfirming(true))}
      >
        Sign out everywhere else
      </ReasonButton>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Sign out everywhere else?"
        description="All other sessions end at once; what is unsaved there may be lost. You stay signed in here."
        confirmLabel="Sign out everywhere else"
        destructive
        pending={end.isPending}
        onConfirm={() => end.mutate(undefined, { onSettled: close })}
      />
    </>
  );
}
