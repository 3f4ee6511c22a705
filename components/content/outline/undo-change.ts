import { isClash, mergedText, mergeTexts } from "@/components/content/merge-texts";
import { toast, toasts } from "@/lib/client/toast";

const SUBJECT = "outline change";

export type Said = { title: string; description: string };

/** Says what has changed in the outline, with a button that undoes it. `undo` returns false where it cannot. */
export function offerUndo(said: Said, undo: () => boolean): void {
  toast({
    ...said,
    subject: SUBJECT,
    action: { label: "Undo", onClick: () => undo() || toast(CANNOT) },
  });
}

/** Called when the editor is left: nothing would undo the change then. */
export function withdrawUndo(): void {
  toasts.withdraw(SUBJECT);
}

/** The outline `now` without the change from `before` to `after`; null if the same lines were changed since. */
export function withoutChange({ before, after, now }: { before: string; after: string; now: string }): string | null {
  const parts = mergeTexts(after, now, before);
  return parts.some(isClash) ? null : mergedText(parts);
}

const CANNOT = {
  title: "Not taken back",
  description:
    "The same lines were changed since. Change them by hand, or look for an earlier outline in the revision history.",
  variant: "destructive" as const,
};
