"use client";

import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "@/components/shared/error-state";
import { ScrollArea } from "@/components/ui/scroll-area";
import { Skeleton } from "@/components/ui/skeleton";
import { revisionQuery } from "@/lib/features/content/client";
import { isBlank } from "@/lib/utils/text";

/** UTF-16 units shown of a text: some 3,000 words. Laying out all of a long one would hold up the page. */
const MOST_SHOWN = 20_000;

/** The texts of one revision, fetched when it is opened. `label` names the region. */
export function RevisionText({ pieceId, revisionId, label }: { pieceId: string; revisionId: string; label: string }) {
  const { data, error, isFetching, refetch } = useQuery(revisionQuery(pieceId, revisionId));
  if (error && !data) {
    return (
      <ErrorState title="The revision did not load" error={error} pending={isFetching} onRetry={() => refetch()} />
    );
  }
  if (!data) {
    return (
      <div role="status">
        <span className="sr-only">The text is loading</span>
        <Skeleton className="h-32" />
      </div>
    );
  }
  return (
    <ScrollArea
      role="region"
      aria-label={label}
      // Scrolled with the arrow keys: nothing in it takes the focus.
      tabIndex={0}
      className="grid max-h-64 gap-4 rounded-md border bg-paper p-3"
    >
      {isBlank(data.body) ? <p className="text-muted-foreground">No body</p> : <Text text={data.body} />}
      {data.outline && !isBlank(data.outline) ? (
        <div className="grid gap-1">
          <h3 className="font-medium text-sm">Outline</h3>
          <Text text={data.outline} />
        </div>
      ) : null}
    </ScrollArea>
  );
}

function Text({ text }: { text: string }) {
  const isLong = text.length > MOST_SHOWN;
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {isLong ? beginning(text) : text}
      </p>
      {isLong ? (
        <p className="text-muted-foreground text-sm">
          The first {MOST_SHOWN.toLocaleString("en-US")} of {text.length.toLocaleString("en-US")} characters. Restore
          this text to read all of it; the present one stays in this list.
        </p>
      ) : null}
    </>
  );
}

/** Without half a character at its end. */
function beginning(text: string): string {
  return text.slice(0, MOST_SHOWN).replace(/[\uD800-\uDBFF]$/, "");
}
