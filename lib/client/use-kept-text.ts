"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { holdText, takeText } from "@/lib/client/kept-text";
import { keys } from "@/lib/client/query-keys";
import { toast } from "@/lib/client/toast";

/**
 * Unsaved text of a field or a form that outlives the end of the session: `take` answers it, or null without any, and
 * never a secret; `restore` puts it back after the same person has signed in, and answers whether it was still needed.
 * Without a `name` nothing is kept. `subject`: what its outcome will be about, which replaces the word of its return.
 */
export function useKeptText(
  name: string | null,
  field: { label?: string; subject?: string; take: () => unknown; restore: (kept: unknown) => boolean },
): void {
  const client = useQueryClient();
  const take = useEffectEvent(field.take);
  const restore = useEffectEvent(field.restore);
  const { label, subject } = field;
  useEffect(() => {
    const userId = client.getQueryData<{ id: string } | null>(keys.user())?.id;
    if (!name || !userId) return;
    const kept = takeText(userId, name);
    if (kept !== undefined && restore(kept)) toast({ ...RESTORED, subject });
    return holdText(name, { userId, take: () => take(), ...(label ? { label } : {}) });
  }, [client, name, label, subject]);
}

const RESTORED = {
  title: "Your text is back",
  description: "What you typed before your session ended is in its place again. It is not saved yet.",
  durationMs: 10_000,
};
