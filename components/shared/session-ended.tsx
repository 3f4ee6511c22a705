"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { LateDialog } from "@/components/shared/late-dialog";
import { labelsAt } from "@/lib/client/kept-text";
import { keys } from "@/lib/client/query-keys";
import { sessionEnd } from "@/lib/client/session-end";
import { toast } from "@/lib/client/toast";
import { late } from "@/lib/utils/late";

const panel = late(() => import("@/components/shared/session-ended-panel").then((module) => module.SessionEndedPanel));

/** Says that the session has ended when there is unsaved text; afterwards, where that is which stands in no open field. */
export function SessionEnded() {
  const ended = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.read, () => null);
  useToldDialogs();
  return (
    <LateDialog
      dialog={panel}
      isKept={ended?.isKept ?? true}
      open={ended !== null}
      onOpenChange={(open) => (open ? undefined : sessionEnd.close())}
    />
  );
}

function useToldDialogs(): void {
  const client = useQueryClient();
  const path = usePathname();
  useEffect(() => {
    const userId = client.getQueryData<{ id: string } | null>(keys.user())?.id;
    const [first, ...others] = userId ? labelsAt(userId, path) : [];
    if (!first) return;
    const names = [first, ...others].map((label) => `“${label}”`).join(" and ");
    toast({
      title: "Your text was kept",
      description: `Open ${names} again: what you typed there before your session ended is in it.`,
      durationMs: 10_000,
    });
  }, [client, path]);
}
