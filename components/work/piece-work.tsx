"use client";

import { StatusBadge } from "@/components/shared/status-badge";
import { usePieceWork } from "@/lib/features/work/client";
import type { PieceWork } from "@/lib/features/work/client/changes";

/** What the queues do with a piece; nothing while they do not have it. */
export function PieceWorkBadge({ piece }: { piece: Parameters<typeof usePieceWork>[0] }) {
  const work = usePieceWork(piece);
  return work ? <StatusBadge {...badgeOf(work)} /> : null;
}

const WAITING = { user: "Held", pause: "Paused", provider: "Waiting", retry: "Waiting" } as const;

function badgeOf({ status, waits, section }: PieceWork): Parameters<typeof StatusBadge>[0] {
  if (waits) return { label: WAITING[waits.for], look: "waiting" };
  if (status === "pending") return { label: "Queued", look: "queued" };
  return { label: section ? `Writing, ${section.number} of ${section.of}` : "Writing", look: "running" };
}
