"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { Notice } from "@/components/shared/notice";
import { type PageAction, PageActions } from "@/components/shared/page-actions";
import type { ContentSummary } from "@/lib/features/content/schema";
import {
  type Publishing,
  type PublishRun,
  usePublishAll,
  usePublishRun,
  usePublishSelected,
} from "@/lib/features/publishing/client";
import type { PublishResult } from "@/lib/features/publishing/schema";

type Props = {
  projectId: number;
  pieces: ContentSummary[];
  selected: ReadonlySet<string>;
  publishing: Publishing;
  topicNameOf: (topicId: number) => string | undefined;
  /** On phones they are in this bar's menu. */
  pageActions: PageAction[];
  onPublished: () => void;
};

const NEW_CATEGORIES = "each topic becomes a category on your site if it is not there yet.";

/** "Publish All Content" and "Publish Selected", with their confirmations, progress and failures. */
export function PublishButtons({
  projectId,
  pieces,
  selected,
  publishing,
  topicNameOf,
  pageActions,
  onPublished,
}: Props) {
  const [confirming, setConfirming] = useState<"all" | "selected" | null>(null);
  const run = usePublishRun(projectId);
  const all = usePublishAll(projectId);
  const some = usePublishSelected(projectId);
  const { bulk, isBusy } = publishing;

  function publishAll() {
    setConfirming(null);
    all.mutate(pieces.length);
  }

  function publishSelected() {
    setConfirming(null);
    const chosen = pieces.filter(({ id }) => selected.has(id));
    some.mutate(
      chosen.map((piece) => ({ piece, topicName: topicNameOf(piece.topicId) })),
      { onSettled: onPublished },
    );
  }

  return (
    <div className="grid grid-cols-1 gap-4 max-md:contents">
      <PageActions
        actions={[
          ...pageActions.map((action) => ({ ...action, phoneOnly: true })),
          {
            label: "Publish All Content",
            disabled: pieces.length === 0 ? "Nothing to publish yet" : isBusy && bulk !== "all" && BUSY,
            pending: bulk === "all",
            onSelect: () => setConfirming("all"),
            isMain: selected.size === 0,
          },
          {
            id: "selected",
            label: `Publish Selected (${selected.size})`,
            variant: "outline",
            disabled: selected.size === 0 ? "Nothing is selected" : isBusy && bulk !== "selected" && BUSY,
            pending: bulk === "selected",
            onSelect: () => setConfirming("selected"),
            isMain: selected.size > 0,
          },
        ]}
        status={
          <p
            aria-live="polite"
            className="text-muted-foreground text-sm tabular-nums max-md:order-first max-md:basis-full max-md:empty:sr-only"
          >
            {bulk ? progressOf(run) : ""}
          </p>
        }
      />
      {run && !bulk && run.failures.length > 0 ? <Failures results={run.failures} /> : null}
      <ConfirmDialog
        open={confirming === "all"}
        onOpenChange={(open) => setConfirming(open ? "all" : null)}
        title="Publish all content?"
        description={`All ${pieces.length} publishable pieces of this project are published to your WordPress site. A piece stays in the category it has there; for the others ${NEW_CATEGORIES}`}
        confirmLabel="Publish All"
        onConfirm={publishAll}
      />
      <ConfirmDialog
        open={confirming === "selected"}
        onOpenChange={(open) => setConfirming(open ? "selected" : null)}
        title="Publish selected content?"
        description={`${selected.size} selected ${selected.size === 1 ? "piece is" : "pieces are"} published to your WordPress site. Each goes into the category of its topic, also when it is in another one there: ${NEW_CATEGORIES}`}
        confirmLabel="Publish Selected"
        onConfirm={publishSelected}
      />
    </div>
  );
}

const BUSY = "Something of this project is being published";

function progressOf({ total, published, failures }: PublishRun = { total: 0, published: 0, failures: [] }): string {
  if (published + failures.length === 0) return "Publishing…";
  const failed = failures.length > 0 ? `, ${failures.length} failed` : "";
  return `${published} of ${total} published${failed}`;
}

const MAX_FAILURES = 20;

function Failures({ results }: { results: PublishResult[] }) {
  return (
    <Notice
      live
      variant="destructive"
      title={`${results.length} ${results.length === 1 ? "piece was" : "pieces were"} not published`}
    >
      <ul className="grid gap-1">
        {results.slice(0, MAX_FAILURES).map(({ contentId, title, error, detail }) => (
          <li key={contentId} className="wrap-anywhere">
            {[`${title}: ${error}`, detail].filter(Boolean).join(" ")}
          </li>
        ))}
        {results.length > MAX_FAILURES ? <li>and {results.length - MAX_FAILURES} more</li> : null}
      </ul>
    </Notice>
  );
}
