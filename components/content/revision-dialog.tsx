"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { RevisionText } from "@/components/content/revision-text";
import { ErrorState } from "@/components/shared/error-state";
import { formatLocalTime, LocalTime } from "@/components/shared/local-time";
import { ModalContent } from "@/components/shared/modal-content";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Button } from "@/components/ui/button";
import { Dialog, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { revisionsQuery, useRestoreRevision } from "@/lib/features/content/client";
import type { RevisionSummary } from "@/lib/features/content/schema";

/** The dialog of "Revision history". */
export function RevisionDialog({
  pieceId,
  open,
  onOpenChange,
}: {
  pieceId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent className="md:max-w-3xl">
        <DialogHeader>
          <DialogTitle>Revision history</DialogTitle>
          <DialogDescription>Earlier texts, newest first. Restoring one keeps the present one here.</DialogDescription>
        </DialogHeader>
        <Revisions pieceId={pieceId} />
      </ModalContent>
    </Dialog>
  );
}

function Revisions({ pieceId }: { pieceId: string }) {
  const { data, isError, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(revisionsQuery(pieceId));
  const restore = useRestoreRevision(pieceId);
  const [openId, setOpenId] = useState<string | null>(null);
  if (isError && !data) {
    return <ErrorState error={error} pending={isFetching} onRetry={() => refetch()} />;
  }
  if (!data) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">Revisions are loading</span>
        {[1, 2, 3].map((key) => (
          <Skeleton key={key} className="h-16" />
        ))}
      </div>
    );
  }
  const revisions = data.pages.flatMap(({ items }) => items);
  if (revisions.length === 0) return <p className="text-muted-foreground">Nothing has been changed yet.</p>;
  return (
    <ScrollRegion className="-mx-1 max-h-[60dvh] px-1">
      <ul>
        {revisions.map((revision) => (
          <Revision
            key={revision.id}
            pieceId={pieceId}
            revision={revision}
            isOpen={openId === revision.id}
            onToggle={() => setOpenId((now) => (now === revision.id ? null : revision.id))}
            restoring={!restore.isPending ? "none" : restore.variables === revision.id ? "this" : "another"}
            onRestore={() => restore.mutate(revision.id)}
          />
        ))}
      </ul>
      {hasNextPage ? (
        <Button variant="outline" size="sm" pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </ScrollRegion>
  );
}

function Revision({
  pieceId,
  revision,
  isOpen,
  onToggle,
  restoring,
  onRestore,
}: {
  pieceId: string;
  revision: RevisionSummary;
  isOpen: boolean;
  onToggle: () => void;
  restoring: "none" | "this" | "another";
  onRestore: () => void;
}) {
  const { id, title, wordCount, excerpt, createdAt } = revision;
  const text = useId();
  const time = formatLocalTime(createdAt, "exact");
  return (
    <li className="grid grid-cols-1 gap-3 border-t py-3">
      <div className="flex items-start gap-3 max-md:flex-wrap">
        <div className="min-w-0 flex-1 max-md:basis-full">
          <p className="text-muted-foreground text-sm">
            <LocalTime at={createdAt} style="exact" /> · {authorOf(revision)} · {wordCount.toLocaleString("en-US")}{" "}
            {wordCount === 1 ? "word" : "words"}
          </p>
          <p dir="auto" className="truncate" title={title}>
            {title}
          </p>
          {isOpen ? null : (
            <p dir="auto" className="line-clamp-2 text-muted-foreground text-sm [overflow-wrap:anywhere]">
              {beginningOf(excerpt)}
            </p>
          )}
        </div>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${isOpen ? "Hide" : "Show"} the text of ${time}`}
          aria-expanded={isOpen}
          aria-controls={text}
          onClick={onToggle}
        >
          {isOpen ? "Hide" : "Show"}
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={`Restore the text of ${time}`}
          pending={restoring === "this"}
          disabled={restoring === "another"}
          onClick={onRestore}
        >
          Restore
        </Button>
      </div>
      <div id={text} hidden={!isOpen}>
        {isOpen ? <RevisionText pieceId={pieceId} revisionId={id} label={`Text of ${time}`} /> : null}
      </div>
    </li>
  );
}

function beginningOf(excerpt: RevisionSummary["excerpt"]): string {
  if (!excerpt) return "No body";
  return excerpt.of === "outline" ? `Outline: ${excerpt.text}` : excerpt.text;
}

function authorOf({ author, model }: RevisionSummary): string {
  if (author === "ai") return model ? `AI (${model})` : "AI";
  return author === "import" ? "Import" : "You";
}
