"use client";

import Link from "next/link";
import { factsOf, lengthOf } from "@/components/content/content-facts";
import { NewerHereBadge } from "@/components/content/newer-here-badge";
import { ActionButtons, RowMenu } from "@/components/content/row-actions";
import { useRowActions } from "@/components/content/use-row-actions";
import { FactBadge } from "@/components/shared/fact-badge";
import { useFocusHandover } from "@/components/shared/focus-return";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import { PieceWorkBadge } from "@/components/work/piece-work";
import type { ContentSummary } from "@/lib/features/content/schema";
import { CONTENT_STATES } from "@/lib/features/content/states";
import { cn } from "@/lib/utils/cn";

const QUIET = "whitespace-nowrap text-muted-foreground text-sm tabular-nums";

/** A piece in the library: title, badges and date in one line where they fit, else the title above; on narrow screens a menu. */
export function LibraryRow({
  piece,
  score,
}: {
  piece: ContentSummary;
  /** None while it is not known. */
  score?: number | null | undefined;
}) {
  const { actions, dialogs } = useRowActions(piece);
  const row = useFocusHandover<HTMLDivElement>();
  const length = lengthOf(piece);
  const isBusy = actions.some(({ pending }) => pending);
  return (
    <div
      ref={row}
      className="group grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 rounded-[inherit] border-t py-2 pr-2 pl-4 hover:bg-hover md:pr-3 xl:grid-cols-[minmax(0,1fr)_112px] xl:py-1.5"
    >
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          href={`/content/${piece.id}`}
          title={piece.title}
          dir="auto"
          className="max-w-full grow rounded-xs wrap-anywhere hover:text-link max-xl:basis-full md:line-clamp-2"
        >
          {piece.title}
        </Link>
        <span className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1 max-xl:basis-full xl:grid xl:w-140 xl:grid-cols-[128px_1fr_136px] xl:justify-items-start">
          <StatusBadge {...CONTENT_STATES[piece.status].badge} />
          <span className="flex flex-wrap gap-x-2 gap-y-1">
            <NewerHereBadge piece={piece} />
            <PieceWorkBadge piece={piece} />
            {factsOf(piece).map((fact) => (
              <FactBadge key={fact}>{fact}</FactBadge>
            ))}
            {length ? <span className={QUIET}>{length}</span> : null}
            {typeof score === "number" ? (
              <span title={`SEO score: ${score} of 100`} className={QUIET}>
                SEO {score}
              </span>
            ) : null}
          </span>
          <span className="whitespace-nowrap text-muted-foreground text-sm max-md:basis-full xl:justify-self-end">
            Created: {piece.createdAt ? <LocalTime at={piece.createdAt} style="shortDate" /> : "N/A"}
          </span>
        </span>
      </span>
      <span
        className={cn(
          "hidden justify-end xl:flex pointer-fine:opacity-0 pointer-fine:focus-within:opacity-100 pointer-fine:group-hover:opacity-100",
          isBusy && "pointer-fine:opacity-100",
        )}
      >
        <ActionButtons actions={actions} title={piece.title} />
      </span>
      <span className="xl:hidden">
        <RowMenu actions={actions} title={piece.title} />
      </span>
      {dialogs}
    </div>
  );
}
