"use client";

import Link from "next/link";
import { factsOf } from "@/components/content/content-facts";
import { ActionButtons, RowMenu } from "@/components/content/row-actions";
import { useRowActions } from "@/components/content/use-row-actions";
import { FactBadge } from "@/components/shared/fact-badge";
import { useFocusHandover } from "@/components/shared/focus-return";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import type { ContentSummary } from "@/lib/features/content/schema";
import { CONTENT_STATES } from "@/lib/features/content/states";
import { cn } from "@/lib/utils/cn";

/** A piece in the library: one row on wide screens; on narrower ones badges below the title, and a menu. */
export function LibraryRow({ piece }: { piece: ContentSummary }) {
  const { actions, dialogs } = useRowActions(piece);
  const row = useFocusHandover<HTMLDivElement>();
  const isBusy = actions.some(({ pending }) => pending);
  return (
    <div
      ref={row}
      className="group grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-t py-2 pr-2 pl-4 hover:bg-hover md:pr-3 xl:grid-cols-[minmax(0,1fr)_304px_136px_112px] xl:py-0"
    >
      <Link
        href={`/content/${piece.id}`}
        title={piece.title}
        dir="auto"
        className="min-w-0 rounded-xs hover:text-link md:truncate"
      >
        {piece.title}
      </Link>
      <span className="col-start-1 mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 xl:col-start-auto xl:mt-0 xl:grid xl:grid-cols-[128px_1fr] xl:justify-items-start xl:gap-0">
        <StatusBadge {...CONTENT_STATES[piece.status].badge} />
        <span className="flex flex-wrap gap-x-2 gap-y-1">
          {factsOf(piece).map((fact) => (
            <FactBadge key={fact}>{fact}</FactBadge>
          ))}
        </span>
        <Created piece={piece} className="basis-full md:basis-auto xl:hidden" />
      </span>
      <Created piece={piece} className="hidden text-right xl:block" />
      <span
        className={cn(
          "hidden justify-end xl:flex pointer-fine:opacity-0 pointer-fine:focus-within:opacity-100 pointer-fine:group-hover:opacity-100",
          isBusy && "pointer-fine:opacity-100",
        )}
      >
        <ActionButtons actions={actions} title={piece.title} />
      </span>
      <span className="col-start-2 row-span-2 row-start-1 xl:hidden">
        <RowMenu actions={actions} title={piece.title} />
      </span>
      {dialogs}
    </div>
  );
}

function Created({ piece, className }: { piece: ContentSummary; className: string }) {
  return (
    <span className={cn("whitespace-nowrap text-muted-foreground text-sm", className)}>
      Created: {piece.createdAt ? <LocalTime at={piece.createdAt} style="shortDate" /> : "N/A"}
    </span>
  );
}
