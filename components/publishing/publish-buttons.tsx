"use client";

import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { type PageAction, PageActions } from "@/components/shared/page-actions";
import { Alert } from "@/components/ui/alert";
import { askBeforeUnload } from "@/lib/client/leaving";
import type { ContentSummary } from "@/lib/features/content/schema";
import { usePublishAll, usePublishSelected } from "@/lib/features/publishing/client";
import type { PublishResult } from "@/lib/features/publishing/schema";

type Props = {
  projectId: number;
  pieces: ContentSummary[];
  selected: ReadonlySet<string>;
  topicNameOf: (topicId: number) => string;
  /** The page's other actions; on phones they are in this bar's menu. */
  ways: PageAction[];
  onPublished: () => void;
};

const CATEGORY_NOTE = "Each topic becomes a category on your site if it is not there yet.";

/** The two buttons that publish many, what they ask first, how far they are, and what failed. */
export function PublishButtons({ projectId, pieces, selected, topicNameOf, ways, onPublished }: Props) {
  const [asking, setAsking] = useState<"all" | "selected" | null>(null);
  const [done, setDone] = useState(0);
  const [failed, setFailed] = useState<PublishResult[]>([]);
  const all = usePublishAll(projectId);
  const some = usePublishSelected(setDone);
  const isRunning = all.isPending || some.isPending;
  useWarningBeforeLeaving(isRunning);
  const onSuccess = (results: PublishResult[]) => setFailed(results.filter(({ success }) => !success));

  const publishAll = () => {
    setAsking(null);
    all.mutate(undefined, { onSuccess });
  };
  const publishSelected = () => {
    setAsking(null);
    setDone(0);
    const chosen = pieces.filter(({ id }) => selected.has(id));
    some.mutate(
      chosen.map((piece) => ({ piece, categoryName: topicNameOf(piece.topicId) })),
      { onSuccess, onSettled: onPublished },
    );
  };

  return (
    <div className="grid grid-cols-1 gap-4 max-md:contents">
      <PageActions
        actions={[
          ...ways.map((way) => ({ ...way, phoneOnly: true })),
          {
            label: "Publish All Content",
            disabled: pieces.length === 0 ? "Nothing to publish yet" : isRunning,
            pending: all.isPending,
            onSelect: () => setAsking("all"),
            isMain: selected.size === 0,
          },
          {
            id: "selected",
            label: `Publish Selected (${selected.size})`,
            variant: "outline",
            disabled: selected.size === 0 ? "Nothing is selected" : isRunning,
            pending: some.isPending,
            onSelect: () => setAsking("selected"),
            isMain: selected.size > 0,
          },
        ]}
        status={
          <p
            aria-live="polite"
            className="text-muted-foreground text-sm tabular-nums max-md:order-first max-md:basis-full max-md:empty:sr-only"
          >
            {some.isPending ? `${done} of ${selected.size} published` : all.isPending ? "Publishing all content…" : ""}
          </p>
        }
      />
      {failed.length > 0 ? <Failures results={failed} /> : null}
      <ConfirmDialog
        open={asking === "all"}
        onOpenChange={(open) => setAsking(open ? "all" : null)}
        title="Publish all content?"
        description={`All ${pieces.length} publishable pieces of this project are published to your WordPress site. ${CATEGORY_NOTE}`}
        confirmLabel="Publish All"
        onConfirm={publishAll}
      />
      <ConfirmDialog
        open={asking === "selected"}
        onOpenChange={(open) => setAsking(open ? "selected" : null)}
        title="Publish selected content?"
        description={`${selected.size} selected ${selected.size === 1 ? "piece is" : "pieces are"} published to your WordPress site. ${CATEGORY_NOTE}`}
        confirmLabel="Publish Selected"
        onConfirm={publishSelected}
      />
    </div>
  );
}

function Failures({ results }: { results: PublishResult[] }) {
  return (
    <Alert
      live
      variant="destructive"
      title={`${results.length} ${results.length === 1 ? "piece was" : "pieces were"} not published`}
    >
      <ul className="grid gap-1">
        {results.slice(0, 20).map(({ contentId, title, error }) => (
          <li key={contentId} className="break-words">
            {title}: {error}
          </li>
        ))}
        {results.length > 20 ? <li>and {results.length - 20} more</li> : null}
      </ul>
    </Alert>
  );
}

/** Leaving would end the calls that are still to be made. */
function useWarningBeforeLeaving(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    return askBeforeUnload();
  }, [isRunning]);
}
