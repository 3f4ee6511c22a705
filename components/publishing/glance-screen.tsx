"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import { useMemo, useState } from "react";
import { ProjectNotFound } from "@/components/projects/project-not-found";
import { type GlanceColumn, type GlanceRow, type GlanceSort, glanceRows, sorted } from "@/components/publishing/glance";
import { EmptyState } from "@/components/shared/empty-state";
import { ErrorState } from "@/components/shared/error-state";
import { backAction, PageHeader } from "@/components/shared/page-header";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { isNotFound } from "@/lib/client/api";
import { useOptimisticQuery } from "@/lib/client/optimistic";
import { useTabTitle } from "@/lib/client/use-tab-title";
import { projectQuery } from "@/lib/features/projects/client";
import { allPiecesQuery } from "@/lib/features/publishing/client";
import { useReviews } from "@/lib/features/publishing/client/reviews";
import { isPublishable } from "@/lib/features/publishing/rules";
import { cn } from "@/lib/utils/cn";

/** All pieces of a project in one table, the worst first. */
export function GlanceScreen({ projectId }: { projectId: number }) {
  const project = useQuery(projectQuery(projectId));
  const pieces = useOptimisticQuery(allPiecesQuery(projectId));
  const title = project.data?.title || `Project ${projectId}`;
  useTabTitle(`All pieces of ${title}`);
  if (isNotFound(project.error)) return <ProjectNotFound />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={title}
        description="All pieces"
        actions={[backAction({ href: `/projects/${projectId}`, label: "Back to Project" })]}
      />
      {pieces.data ? (
        <Glance pieces={pieces.data} />
      ) : pieces.error ? (
        <ErrorState
          title="Failed to fetch content"
          error={pieces.error}
          pending={pieces.isFetching}
          onRetry={() => pieces.refetch()}
        />
      ) : (
        <div role="status" aria-label="Loading the content">
          <Skeleton className="h-60" />
        </div>
      )}
    </div>
  );
}

const COLUMNS: { column: GlanceColumn; label: string; isNumber?: boolean }[] = [
  { column: "title", label: "Title" },
  { column: "stage", label: "Stage" },
  { column: "site", label: "On your site" },
  { column: "keyword", label: "Focus keyword" },
  { column: "words", label: "Words", isNumber: true },
  { column: "score", label: "Score", isNumber: true },
  { column: "findings", label: "To look at", isNumber: true },
  { column: "linksIn", label: "Links in", isNumber: true },
  { column: "linksOut", label: "Links out", isNumber: true },
];

/** Rows that are shown at first, and with each press on "Show more". */
const STEP = 100;

function Glance({ pieces }: { pieces: Parameters<typeof glanceRows>[0] }) {
  const ids = useMemo(() => pieces.filter(isPublishable).map(({ id }) => id), [pieces]);
  const { reviews, isPending } = useReviews(ids);
  const rows = useMemo(() => glanceRows(pieces, reviews, !isPending), [pieces, reviews, isPending]);
  const [sort, setSort] = useState<GlanceSort>({ column: "worst", isDescending: false });
  const [shown, setShown] = useState(STEP);
  const inOrder = useMemo(() => sorted(rows, sort), [rows, sort]);
  if (pieces.length === 0)
    return <EmptyState title="No pieces yet" description="Create content ideas in the project's topics." />;

  function sortBy(column: GlanceColumn, isNumber: boolean) {
    // A second press turns the order round, a third brings the worst first again.
    if (sort.column !== column) setSort({ column, isDescending: isNumber });
    else if (sort.isDescending === isNumber) setSort({ column, isDescending: !isNumber });
    else setSort({ column: "worst", isDescending: false });
  }

  return (
    <section aria-label="All pieces" className="grid grid-cols-1 gap-3">
      <p role="status" className="text-muted-foreground text-sm">
        {pieces.length.toLocaleString("en-US")} {pieces.length === 1 ? "piece" : "pieces"}
        {isPending ? ". The texts are being checked." : sort.column === "worst" ? ", the worst first." : "."}
      </p>
      <ScrollRegion
        role="region"
        aria-label="Table of all pieces"
        tabIndex={0}
        className="overflow-x-auto rounded-lg border bg-card"
      >
        <table className="w-full min-w-[920px] border-collapse text-left">
          <thead className="text-muted-foreground text-xs">
            <tr>
              {COLUMNS.map(({ column, label, isNumber = false }) => (
                <th
                  key={column}
                  scope="col"
                  aria-sort={sort.column === column ? (sort.isDescending ? "descending" : "ascending") : undefined}
                  className={cn("px-1 font-normal", isNumber && "text-right")}
                >
                  <Button variant="ghost" size="sm" className="text-xs" onClick={() => sortBy(column, isNumber)}>
                    {label}
                    {sort.column === column ? (
                      sort.isDescending ? (
                        <ArrowDown aria-hidden="true" />
                      ) : (
                        <ArrowUp aria-hidden="true" />
                      )
                    ) : null}
                  </Button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {inOrder.slice(0, shown).map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {inOrder.length > shown ? (
        <Button variant="outline" className="justify-self-start" onClick={() => setShown(shown + STEP)}>
          Show more ({(inOrder.length - shown).toLocaleString("en-US")} left)
        </Button>
      ) : null}
    </section>
  );
}

function Row({ row }: { row: GlanceRow }) {
  return (
    <tr className="border-t hover:bg-hover">
      <th scope="row" className="min-w-60 px-3.5 py-2.5 font-normal wrap-anywhere">
        <Link dir="auto" href={`/content/${row.id}`} prefetch={false} className="underline-offset-3 hover:underline">
          {row.title}
        </Link>
      </th>
      <td className="px-3.5">{row.stage}</td>
      <td className="px-3.5 whitespace-nowrap">{row.site}</td>
      <td dir="auto" className="max-w-48 px-3.5 wrap-anywhere">
        {row.keyword ?? "–"}
      </td>
      <NumberCell value={row.words} />
      <NumberCell value={row.score} />
      <td className="px-3.5 text-right tabular-nums">
        {row.findings?.toLocaleString("en-US") ?? "–"}
        {row.holding ? <span className="block text-warning text-xs">not ready</span> : null}
      </td>
      <NumberCell value={row.linksIn} />
      <NumberCell value={row.linksOut} />
    </tr>
  );
}

/** An unknown number is no zero. */
function NumberCell({ value }: { value: number | null }) {
  return <td className="px-3.5 text-right tabular-nums">{value?.toLocaleString("en-US") ?? "–"}</td>;
}
