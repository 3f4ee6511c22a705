"use client";

import { useState } from "react";
import { type Draft, EMPTY_DRAFT, editedFields, fieldsOf, mergedDraft } from "@/components/content/draft";
import { FieldDifferences } from "@/components/content/field-differences";
import { formatLocalTime } from "@/components/shared/local-time";
import { ModalContent } from "@/components/shared/modal-content";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Button } from "@/components/ui/button";
import { Dialog, DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import type { ContentOut } from "@/lib/features/content/schema";

/** Edits that only this browser has, compared with what is saved. */
export function RecoveredDialog({
  open,
  onOpenChange,
  piece,
  draft,
  at,
  onRestore,
  onDiscard,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  piece: ContentOut;
  draft: Draft;
  /** When they were made, in milliseconds since 1970. */
  at: number;
  onRestore: () => Promise<void>;
  onDiscard: () => void;
}) {
  const [isRestoring, setRestoring] = useState(false);
  const isNewer = draft.version !== piece.version;
  const merged = isNewer ? mergedDraft(draft, piece) : draft;
  const saved = fieldsOf(piece, EMPTY_DRAFT);
  const restored = { ...saved, ...editedFields(piece, merged ?? draft) };

  async function restore() {
    setRestoring(true);
    await onRestore().finally(() => setRestoring(false));
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-3xl">
        <DialogHeader>
          <DialogTitle>Unsaved changes of {formatLocalTime(new Date(at).toISOString(), "exact")}</DialogTitle>
          <DialogDescription>{explanation(isNewer, merged !== null)}</DialogDescription>
        </DialogHeader>
        <ScrollRegion className="-mx-1 max-h-[55dvh] max-md:max-h-[40dvh] px-1">
          <FieldDifferences old={saved} text={restored} names={["Saved", "With these changes"]} />
        </ScrollRegion>
        <DialogFooter>
          <Button variant="ghost" className="md:mr-auto" disabled={isRestoring} onClick={onDiscard}>
            Discard them
          </Button>
          <Button variant="outline" disabled={isRestoring} onClick={() => onOpenChange(false)}>
            Not now
          </Button>
          <Button pending={isRestoring} onClick={restore}>
            Restore them
          </Button>
        </DialogFooter>
      </ModalContent>
    </Dialog>
  );
}

function explanation(isNewer: boolean, isMerged: boolean): string {
  if (!isNewer) return "What the piece has now, and what it will have when you restore them.";
  if (isMerged) return "The piece was saved since. What was changed there stays, and these changes are added.";
  return "The piece was saved since, and the same lines were changed there. Restore them to choose for each place.";
}
