"use client";

import { type ReactNode, useState } from "react";
import { type Readiness, ReadyList, useReadiness } from "@/components/content/readiness";
import { SiteChangeDialog } from "@/components/content/site-change-dialog";
import { RenderingChanges } from "@/components/publishing/rendering-changes";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { afterRender } from "@/components/shared/focus-return";
import type { ContentSummary } from "@/lib/features/content/schema";
import type { Place } from "@/lib/features/content/seo/material";
import { isRemoteChanged, type PublishOne, type usePublishContent } from "@/lib/features/publishing/client";
import { newSlugOf } from "@/lib/features/publishing/rules";
import { useSiteOfProject } from "@/lib/features/sites/client";

/**
 * Updates a piece's live post once the user has said so, and asks again before it overwrites an edit made on the site. `saveFirst`
 * runs before, and the update is given up if it resolves to nothing. `slug` and `readiness` are those of a text that is being edited; they
 * hold nothing.
 */
export function usePostUpdate(
  piece: PublishOne["piece"] & Pick<ContentSummary, "wpPermalink">,
  publish: ReturnType<typeof usePublishContent>,
  {
    title,
    saveFirst,
    slug,
    readiness,
    onGoTo,
  }: {
    title: string;
    saveFirst?: () => Promise<unknown>;
    slug?: string;
    readiness?: Readiness;
    onGoTo?: (place: Place) => void;
  },
): { isPending: boolean; ask: () => void; dialogs: ReactNode } {
  const [question, setQuestion] = useState<"update" | "overwrite" | null>(null);
  const [isSavingFirst, setSavingFirst] = useState(false);
  const { yourWordPressSite } = useSiteOfProject(piece.projectId, question === "overwrite");
  const close = () => setQuestion(null);
  /** Goes on once the question has given the focus back. */
  const leaveFor = (next: () => void) => {
    close();
    afterRender(next, () => document.querySelector("[role=alertdialog]") === null);
  };
  const stored = useReadiness(piece.id, question === "update" && !readiness);
  const newSlug = newSlugOf(piece, slug ?? stored.slug ?? "");

  async function start() {
    if (saveFirst) {
      setSavingFirst(true);
      const saved = await saveFirst();
      setSavingFirst(false);
      if (!saved) return;
    }
    publish.mutate(
      { piece, force: false },
      { onError: (error) => (isRemoteChanged(error) ? setQuestion("overwrite") : undefined) },
    );
  }

  const dialogs = (
    <>
      <SiteChangeDialog
        projectId={piece.projectId}
        verb="update"
        what={{ title }}
        body={
          <>
            {newSlug ? (
              <p className="text-muted-foreground">
                Its address will end in “{newSlug}”. WordPress redirects the old one.
              </p>
            ) : null}
            <RenderingChanges pieceId={piece.id} />
            <ReadyList
              readiness={readiness ?? stored}
              pieceId={piece.id}
              holds={false}
              onGoTo={onGoTo && ((place) => leaveFor(() => onGoTo(place)))}
            />
          </>
        }
        open={question === "update"}
        onOpenChange={close}
        onConfirm={start}
      />
      <ConfirmDialog
        open={question === "overwrite"}
        onOpenChange={close}
        title="Overwrite the edited post?"
        description={`The post was edited on ${yourWordPressSite} since it was last published from here. Overwriting replaces that text; WordPress keeps it in the post's own revisions.`}
        confirmLabel="Overwrite"
        destructive
        pending={publish.isPending}
        onConfirm={() => publish.mutate({ piece, force: true }, { onSettled: close })}
      />
    </>
  );
  return {
    isPending: isSavingFirst || (publish.isPending && question !== "overwrite"),
    ask: () => setQuestion("update"),
    dialogs,
  };
}
