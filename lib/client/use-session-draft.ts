"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { currentUserId } from "@/lib/client/current-user";
import { registerDraft, takeDraft } from "@/lib/client/session-drafts";
import { toast } from "@/lib/client/toast";

/**
 * Unsaved text of a field or form that survives the end of the session: `take` returns it, or null if there is none;
 * `restore` puts it back and returns whether it was still needed. Without a `name` nothing is stored. `subject` is what the
 * field's save will be about, so that its toast replaces "Your text is back".
 */
export function useSessionDraft(
  name: string | null,
  field: {
    label?: string;
    subject?: string;
    /** It is saved by itself. */
    isAutosaved?: boolean;
    take: () => unknown;
    restore: (stored: unknown) => boolean;
  },
): void {
  const client = useQueryClient();
  const take = useEffectEvent(field.take);
  const restore = useEffectEvent(field.restore);
  const { label, subject, isAutosaved = false } = field;
  useEffect(() => {
    const userId = currentUserId(client);
    if (!name || !userId) return;
    const stored = takeDraft(userId, name);
    if (stored !== undefined && restore(stored)) toast({ ...restoredToast(isAutosaved), subject });
    return registerDraft(name, { userId, take: () => take(), ...(label ? { label } : {}) });
  }, [client, name, label, subject, isAutosaved]);
}

function restoredToast(isAutosaved: boolean) {
  const where = "What you typed before your session ended is in its place again.";
  return {
    title: "Your text is back",
    description: isAutosaved ? where : `${where} It is not saved yet.`,
    durationMs: 10_000,
    variant: "neutral" as const,
  };
}
