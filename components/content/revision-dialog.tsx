"use client";

import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "@/components/shared/error-state";
import { LocalTime, ownTime } from "@/components/shared/local-time";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { ScrollArea } from "@/components/ui/scroll-area";
import { Skeleton } from "@/components/ui/skeleton";
import { revisionsQuery, useRestoreRevision } from "@/lib/features/content/client";
import { countWords, snippet } from "@/lib/features/content/rules";
import type { RevisionOut } from "@/lib/features/content/schema";

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
      <DialogContent className="md:max-w-xl">
        <DialogHeader>
          <DialogTitle>Revision history</DialogTitle>
          <DialogDescription>The newest 50 texts. Restoring one keeps the present one here.</DialogDescription>
        </DialogHeader>
        <Revisions pieceId={pieceId} />
      </DialogContent>
    </Dialog>
  );
}

function Revisions({ pieceId }: { pieceId: string }) {
  const { data, isError, error, isFetching, refetch } = useQuery(revisionsQuery(pieceId));
  const restore = useRestoreRevision(pieceId);
  if (isError && !data) {
    return <ErrorState error={error} pending={isFetching} onRetry={() => refetch()} />;
  }
  if (!data) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">Revisions are loading</span>
        {[1, 2, 3].map((place) => (
          <Skeleton key={place} className="h-16" />
        ))}
      </div>
    );
  }
  if (data.length === 0) return <p className="text-muted-foreground">Nothing has been changed yet.</p>;
  return (
    <ScrollArea className="-mx-1 max-h-[60dvh] px-1">
      <ul>
        {data.map((revision) => (
          <li key={revision.id} className="flex items-start gap-3 border-t py-3">
            <div className="min-w-0 flex-1">
              <p className="text-muted-foreground text-sm">
                <LocalTime at={revision.createdAt} style="exact" /> · {authorOf(revision)} ·{" "}
                {countWords(revision.body).toLocaleString("en-US")} words
              </p>
              <p dir="auto" className="truncate" title={revision.title}>
                {revision.title}
              </p>
              <p dir="auto" className="line-clamp-2 text-muted-foreground text-sm [overflow-wrap:anywhere]">
                {snippet(revision.body) || (revision.outline ? `Outline: ${snippet(revision.outline)}` : "No body")}
              </p>
            </div>
            <Button
              variant="outline"
              size="sm"
              aria-label={`Restore the text of ${ownTime(revision.createdAt, "exact")}`}
              pending={restore.isPending && restore.variables === revision.id}
              disabled={restore.isPending && restore.variables !== revision.id}
              onClick={() => restore.mutate(revision.id)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </ScrollArea>
  );
}

function authorOf({ author, model }: RevisionOut): string {
  if (author === "ai") return model ? `AI (${model})` : "AI";
  return author === "import" ? "Import" : "You";
}
