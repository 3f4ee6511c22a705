"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FieldDifferences } from "@/components/content/field-differences";
import { RenderedText } from "@/components/content/preview-panel";
import { ErrorState } from "@/components/shared/error-state";
import { useScrollRegion } from "@/components/shared/scroll-region";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { contentQuery, revisionQuery } from "@/lib/features/content/client";
import type { RevisionOut } from "@/lib/features/content/schema";
import { isBlank } from "@/lib/utils/text";

type Props = { pieceId: string; revisionId: string };

/** The texts of one revision, fetched when it is opened: first what has changed since, then as readers would see them. */
export function RevisionText({ label, ...props }: Props & { label: string }) {
  const sheet = useScrollRegion("mt-3 grid max-h-[50dvh] grid-cols-1 gap-6 rounded-md border bg-paper p-4");
  return (
    <Tabs defaultValue="changes">
      <TabsList aria-label={label}>
        <TabsTrigger value="changes">Changes</TabsTrigger>
        <TabsTrigger value="text">Text</TabsTrigger>
      </TabsList>
      <TabsContent value="changes" className="mt-3">
        <Loaded {...props}>{(revision) => <ComparedTexts pieceId={props.pieceId} revision={revision} />}</Loaded>
      </TabsContent>
      <TabsContent value="text" {...sheet}>
        <Loaded {...props}>{(revision) => <Texts revision={revision} />}</Loaded>
      </TabsContent>
    </Tabs>
  );
}

function Loaded({
  pieceId,
  revisionId,
  children,
}: Props & {
  children: (revision: RevisionOut) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = useQuery(revisionQuery(pieceId, revisionId));
  if (data) return children(data);
  if (error) {
    return (
      <ErrorState title="The revision did not load" error={error} pending={isFetching} onRetry={() => refetch()} />
    );
  }
  return (
    <div role="status">
      <span className="sr-only">The text is loading</span>
      <Skeleton className="h-32" />
    </div>
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

function Texts({ revision: { title, body, outline } }: { revision: RevisionOut }) {
  return (
    <>
      <div className="grid grid-cols-1 gap-4 font-serif text-paper-foreground text-read">
        <h3 dir="auto" className="font-medium text-2xl tracking-[-0.016em] [overflow-wrap:anywhere] max-md:text-xl">
          {title}
        </h3>
        {isBlank(body) ? <p className="text-muted-foreground">No body</p> : <RenderedText title={title} text={body} />}
      </div>
      {outline && !isBlank(outline) ? (
        <section aria-label="Outline" className="grid grid-cols-1 gap-3 border-t pt-4">
          <h3 className="font-medium text-sm">Outline</h3>
          <div className="font-serif text-paper-foreground text-read">
            <RenderedText text={outline} />
          </div>
        </section>
      ) : null}
    </>
  );
}
