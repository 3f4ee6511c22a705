"use client";

import { useQuery } from "@tanstack/react-query";
import { FieldDifferences } from "@/components/content/field-differences";
import { ErrorState } from "@/components/shared/error-state";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Skeleton } from "@/components/ui/skeleton";
import { contentQuery, revisionQuery } from "@/lib/features/content/client";
import type { RevisionOut } from "@/lib/features/content/schema";
import { cn } from "@/lib/utils/cn";
import { isBlank } from "@/lib/utils/text";

/** About 3,000 words: laying out a longer text would block the page. */
const MAX_SHOWN = 20_000;

/** The texts of one revision, fetched when it is opened, or their difference to the present ones. `label` names the region. */
export function RevisionText({
  pieceId,
  revisionId,
  label,
  isCompared,
}: {
  pieceId: string;
  revisionId: string;
  label: string;
  isCompared: boolean;
}) {
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
    <ScrollRegion
      role="region"
      aria-label={label}
      // Focusable, so that the arrow keys scroll it.
      tabIndex={0}
      className={cn("grid grid-cols-1 gap-4", isCompared ? undefined : "max-h-64 rounded-md border bg-paper p-3")}
    >
      {isCompared ? <ComparedTexts revision={data} pieceId={pieceId} /> : <Texts revision={data} />}
    </ScrollRegion>
  );
}

function ComparedTexts({ revision, pieceId }: { revision: RevisionOut; pieceId: string }) {
  const { data: piece } = useQuery(contentQuery(pieceId));
  if (!piece) return <Skeleton className="h-32" />;
  const { title, body, outline } = revision;
  return (
    <FieldDifferences
      old={{ title, body, outline: outline ?? "" }}
      text={{ title: piece.title, body: piece.body, outline: piece.outline ?? "" }}
      names={["This revision", "Present text"]}
    />
  );
}

function Texts({ revision: data }: { revision: RevisionOut }) {
  return (
    <>
      {isBlank(data.body) ? <p className="text-muted-foreground">No body</p> : <Text text={data.body} />}
      {data.outline && !isBlank(data.outline) ? (
        <div className="grid gap-1">
          <h3 className="font-medium text-sm">Outline</h3>
          <Text text={data.outline} />
        </div>
      ) : null}
    </>
  );
}

function Text({ text }: { text: string }) {
  const isLong = text.length > MAX_SHOWN;
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {isLong ? beginning(text) : text}
      </p>
      {isLong ? (
        <p className="text-muted-foreground text-sm">
          The first {MAX_SHOWN.toLocaleString("en-US")} of {text.length.toLocaleString("en-US")} characters. Restore
          this text to read all of it; the present one stays in this list.
        </p>
      ) : null}
    </>
  );
}

/** Returns the beginning of the text without cutting a surrogate pair in half. */
function beginning(text: string): string {
  return text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, "");
}
