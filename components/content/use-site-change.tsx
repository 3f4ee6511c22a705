"use client";

import { type ReactNode, useState } from "react";
import { PublishAnywayDialog } from "@/components/content/publish-anyway-dialog";
import { type Readiness, ReadyList, useReadiness } from "@/components/content/readiness";
import { SiteChangeDialog } from "@/components/content/site-change-dialog";
import { afterRender } from "@/components/shared/focus-return";
import type { ContentOut } from "@/lib/features/content/schema";
import type { Place } from "@/lib/features/content/seo/material";
import { isLive } from "@/lib/features/content/states";
import {
  isRemoteChanged,
  type PublishOne,
  usePublishContent,
  useUnpublishContent,
} from "@/lib/features/publishing/client";
import { isScheduled } from "@/lib/features/publishing/states";

type Piece = PublishOne["piece"] & Parameters<typeof isLive>[0] & Pick<ContentOut, "wpPostStatus" | "wpPostDate">;

/**
 * Publishes a piece, or takes it off the site, once the user has said so. `saveFirst` runs before it is published, which is
 * given up if it resolves to nothing. `readiness` is that of the text as it is written; without it, the stored one is asked for.
 */
export function useSiteChange(
  piece: Piece,
  {
    title,
    saveFirst,
    readiness: live,
    onGoTo,
  }: {
    title: string;
    saveFirst?: () => Promise<unknown>;
    readiness?: Readiness;
    onGoTo?: (place: Place) => void;
  },
): { isOnline: boolean; isPending: boolean; ask: () => void; dialogs: ReactNode } {
  const [question, setQuestion] = useState<"publish" | "unpublish" | "overwrite" | null>(null);
  const [isSavingFirst, setSavingFirst] = useState(false);
  const publish = usePublishContent();
  const unpublish = useUnpublishContent();
  const isOnline = isLive(piece);
  const close = () => setQuestion(null);
  /** Goes on once the question has given the focus back. */
  const leaveFor = (next: () => void) => {
    close();
    afterRender(next, () => document.querySelector("[role=alertdialog]") === null);
  };
  const stored = useReadiness(piece.id, question === "publish" && !live);
  const readiness = live ?? stored;
  const schedule = isScheduled(piece) ? { now: true } : {};

  async function startPublish() {
    if (saveFirst) {
      setSavingFirst(true);
      const saved = await saveFirst();
      setSavingFirst(false);
      if (!saved) return;
    }
    publish.mutate(
      { piece, ...schedule },
      { onError: (error) => (isRemoteChanged(error) ? setQuestion("overwrite") : undefined) },
    );
  }

  const dialogs = (
    <>
      <SiteChangeDialog
        projectId={piece.projectId}
        verb="publish"
        what={{ ...piece, title }}
        body={
          <ReadyList
            readiness={readiness}
            pieceId={piece.id}
            onGoTo={onGoTo && ((place) => leaveFor(() => onGoTo(place)))}
          />
        }
        readiness={readiness}
        open={question === "publish"}
        onOpenChange={close}
        onConfirm={startPublish}
      />
      <SiteChangeDialog
        projectId={piece.projectId}
        verb="unpublish"
        what={{ title }}
        open={question === "unpublish"}
        onOpenChange={close}
        onConfirm={() => unpublish.mutate(piece)}
      />
      <PublishAnywayDialog
        projectId={piece.projectId}
        open={question === "overwrite"}
        onOpenChange={close}
        pending={publish.isPending}
        onConfirm={() => publish.mutate({ piece, force: true, ...schedule }, { onSettled: close })}
      />
    </>
  );
  return {
    isOnline,
    isPending: isSavingFirst || unpublish.isPending || (publish.isPending && question !== "overwrite"),
    ask: () => setQuestion(isOnline ? "unpublish" : "publish"),
    dialogs,
  };
}
