"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { currentUserId } from "@/lib/client/current-user";
import { draftLabelsAt } from "@/lib/client/session-drafts";
import { sessionEnd } from "@/lib/client/session-end";
import { toast } from "@/lib/client/toast";

const SessionEndedPanel = lazyDialog(() =>
  import("@/components/shared/session-ended-panel").then((module) => module.SessionEndedPanel),
);

/** Reports a session that ended with unsaved text; after the next sign-in, names the dialogs that have their text again. */
export function SessionEnded() {
  const ended = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.read, () => null);
  useDraftToast();
  return (
    <SessionEndedPanel
      isKept={ended?.isKept ?? true}
      open={ended !== null}
      onOpenChange={(open) => (open ? undefined : sessionEnd.close())}
    />
  );
}

function useDraftToast(): void {
  const client = useQueryClient();
  const path = usePathname();
  useEffect(() => {
    const userId = currentUserId(client);
    const [first, ...others] = userId ? draftLabelsAt(userId, path) : [];
    if (!first) return;
    const names = [first, ...others].map((label) => `“${label}”`).join(" and ");
    toast({
      title: "Your text was kept",
      description: `Open ${names} again: what you typed there before your session ended is in it.`,
      durationMs: 10_000,
      variant: "neutral",
    });
  }, [client, path]);
}
