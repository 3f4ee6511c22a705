"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { opensDialog } from "@/components/shared/late-dialog";
import { ReasonButton } from "@/components/shared/reason-button";
import { useEndOtherSessions } from "@/lib/features/account/client";

/** "Sign out everywhere else", which asks first. `others`: how many sessions there are beside this one. */
export function EndOtherSessions({ others }: { others: number }) {
  const [isAsking, setAsking] = useState(false);
  const end = useEndOtherSessions();
  const close = () => setAsking(false);
  return (
    <>
      <ReasonButton
        variant="outline"
        refused={others === 0 && "You are signed in nowhere else."}
        {...opensDialog(isAsking, () => setAsking(true))}
      >
        Sign out everywhere else
      </ReasonButton>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
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
