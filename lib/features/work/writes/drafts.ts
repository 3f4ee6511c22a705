import "server-only";
import { announceChange } from "@/lib/db/announce";
import type { ClaimedItem } from "@/lib/features/work/schema";
import { type Lease, saveDraft } from "@/lib/lease/lease";
import { log } from "@/lib/log";

/** What a call has written so far. */
export type Draft = { add: (text: string) => void; clear: () => void };

/** Those who watch see what is new after this time. */
const SHOW_MS = 250;
/** How often a call looks whether somebody watches now. */
const LOOK_MS = 3_000;

/** Runs a call under a claim, and shows its draft to those who watch the item's job. */
export async function whileShowing<T>(item: ClaimedItem, work: (draft: Draft) => Promise<T>): Promise<T> {
  const lease: Lease = { kind: "writing", subject: item.contentPieceId, token: item.token };
  let text = "";
  let shown = "";
  let nextAt = 0;
  async function show() {
    if (text === shown || Date.now() < nextAt) return;
    nextAt = Number.POSITIVE_INFINITY;
    const saved = text;
    const isShown = await saveDraft(lease, saved, item.jobId).catch((error: unknown) => {
      log.debug({ err: error, itemId: item.id }, "a draft was not shown");
      return false;
    });
    if (isShown) {
      shown = saved;
      announceChange(item.jobId);
    }
    nextAt = isShown ? 0 : Date.now() + LOOK_MS;
  }
  const timer = setInterval(() => void show(), SHOW_MS).unref();
  try {
    return await work({
      add: (part) => {
        text += part;
      },
      clear: () => {
        text = "";
      },
    });
  } finally {
    clearInterval(timer);
  }
}
