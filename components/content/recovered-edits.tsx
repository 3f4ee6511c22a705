"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type Draft, draftFromKept, isStillMissing } from "@/components/content/draft";
import type { ContentEditorState } from "@/components/content/use-content-editor";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { LocalTime } from "@/components/shared/local-time";
import { Notice } from "@/components/shared/notice";
import { Button } from "@/components/ui/button";
import { currentUserId } from "@/lib/client/current-user";
import { refetchNow } from "@/lib/client/invalidation";
import { eraseCopies, type FoundCopy, watchOrphans } from "@/lib/client/local-copies";
import { keys } from "@/lib/client/query-keys";
import type { ContentOut } from "@/lib/features/content/schema";

const RecoveredDialog = lazyDialog(() =>
  import("@/components/content/recovered-dialog").then((module) => module.RecoveredDialog),
);

/** The last words of a closed page may still be on their way to the server. */
const RECENT_MS = 15_000;
const WAIT_MS = 1_500;

/** Offers edits that this browser has kept and the server never got: after a crash, or days without a network. */
export function RecoveredEdits({ editor }: { editor: ContentEditorState }) {
  const { piece } = editor;
  const { copies, drop } = useOrphans(piece.id);
  const [isOpen, setOpen] = useState(false);
  const offers = useMemo(
    () =>
      copies.flatMap((copy) => {
        const draft = draftFromKept(copy.value, piece);
        return draft && isStillMissing(draft, piece) ? [{ copy, draft }] : [];
      }),
    [copies, piece],
  );
  const [offer] = offers;
  if (!offer) return null;
  const { copy, draft } = offer;

  async function restore() {
    if (!(await editor.restore(draft))) return;
    setOpen(false);
    await drop(copy);
  }

  return (
    <>
      <Notice
        live
        title="Unsaved changes were found"
        className="mt-6"
        action={
          <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
            Review changes
          </Button>
        }
      >
        They are yours, of <LocalTime at={new Date(copy.at).toISOString()} style="short" />, and never reached the
        server. This browser has kept them.
      </Notice>
      <RecoveredDialog
        open={isOpen}
        onOpenChange={setOpen}
        piece={piece}
        draft={draft}
        at={copy.at}
        onRestore={restore}
        onDiscard={() => {
          setOpen(false);
          void drop(copy);
        }}
      />
    </>
  );
}

function isLeft(kept: unknown, piece: ContentOut): boolean {
  const draft = draftFromKept(kept, piece);
  return draft !== null && isStillMissing(draft, piece);
}

function useOrphans(pieceId: string) {
  const client = useQueryClient();
  const [copies, setCopies] = useState<FoundCopy<Draft>[]>([]);

  useEffect(() => {
    const userId = currentUserId(client);
    if (!userId) return;
    let isGone = false;
    const stop = watchOrphans<Draft>(userId, pieceId, async (found) => {
      if (found.some(({ at }) => Date.now() - at < RECENT_MS)) {
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
        if (!isGone) await refetchNow(client, keys.content(pieceId));
      }
      const current = client.getQueryData<ContentOut>(keys.content(pieceId));
      const left = found.filter(({ value }) => !current || isLeft(value, current));
      // The server has these after all. Kept, they would differ from what is written next.
      await eraseCopies(found.filter((copy) => !left.includes(copy)));
      if (!isGone) setCopies(left);
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [client, pieceId]);

  return {
    copies,
    async drop(copy: FoundCopy<Draft>) {
      setCopies((now) => now.filter(({ key }) => key !== copy.key));
      await eraseCopies([copy]);
    },
  };
}
