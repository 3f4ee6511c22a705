"use client";

import Link from "next/link";
import type { Ref } from "react";
import { willNotAppear } from "@/components/content/content-facts";
import { NewerHereBadge } from "@/components/content/newer-here-badge";
import { PieceActions } from "@/components/publishing/piece-actions";
import { StatusBadge } from "@/components/shared/status-badge";
import { Checkbox } from "@/components/ui/checkbox";
import { TableCell, TableHead, TableRow } from "@/components/ui/table";
import { PieceWorkBadge } from "@/components/work/piece-work";
import { placeRow } from "@/lib/client/page-place";
import type { ContentSummary } from "@/lib/features/content/schema";
import { CONTENT_STATES, isLive } from "@/lib/features/content/states";
import type { Publishing } from "@/lib/features/publishing/client";
import type { ReviewOut } from "@/lib/features/publishing/schema";

export type Columns = { withTopic: boolean; topicNameOf: (topicId: number) => string | undefined };

/**
 * The columns where there is no room for all of them: the checkbox, the title with status and topic below it, and the menu. On
 * phones status and topic have a line each.
 */
const NARROW_ROW =
  "max-xl:grid max-xl:grid-cols-[3rem_auto_minmax(0,1fr)_3rem] max-md:grid-cols-[3rem_minmax(0,1fr)_3rem]";

/** The table's header with "select all". Its widths apply to all rows, since the layout is fixed. */
export function ColumnsRow({
  ref,
  index,
  columns,
  label,
  checked,
  disabled,
  onCheck,
}: {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  columns: Columns;
  label: string;
  checked: boolean | "indeterminate";
  disabled: boolean;
  onCheck: (checked: boolean) => void;
}) {
  return (
    <TableRow ref={ref} data-index={index} aria-rowindex={1} className={NARROW_ROW}>
      <TableHead className="w-12 max-xl:grid max-xl:w-auto max-xl:items-center max-xl:pr-0">
        <Checkbox
          aria-label={`Select ${label}`}
          checked={checked}
          disabled={disabled}
          onCheckedChange={(value) => onCheck(value === true)}
        />
      </TableHead>
      <TableHead className="max-xl:grid max-xl:items-center max-xl:px-0 md:max-xl:col-span-2">Title</TableHead>
      {columns.withTopic ? <TableHead className="w-1/5 max-xl:sr-only">Topic</TableHead> : null}
      <TableHead className="w-40 max-xl:hidden">Status</TableHead>
      <TableHead className="w-56 text-right max-xl:hidden">Actions</TableHead>
    </TableRow>
  );
}

const REVIEW_LINK =
  "mr-3 inline-block py-0.5 text-muted-foreground text-sm underline decoration-border-strong underline-offset-3 hover:decoration-current";

/** A piece with its checkbox. `place` is its index in the whole table, of which only a part is rendered. */
export function PieceRow({
  ref,
  index,
  place,
  columns: { withTopic, topicNameOf },
  piece,
  review,
  publishing,
  checked,
  onCheck,
}: {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  place: number;
  columns: Columns;
  piece: ContentSummary;
  /** What is to be said of it before it is published; undefined if that is not known. */
  review: ReviewOut | undefined;
  publishing: Publishing;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}) {
  const topicName = topicNameOf(piece.topicId);
  const isBulk = publishing.bulk !== null;
  return (
    <TableRow
      ref={ref}
      data-index={index}
      {...placeRow(piece.id)}
      aria-rowindex={place + 2}
      className={NARROW_ROW}
      data-state={checked ? "selected" : undefined}
    >
      <TableCell className="w-12 max-xl:grid max-xl:row-span-2 max-md:row-span-3 max-xl:h-auto max-xl:w-auto max-xl:content-start max-xl:pt-3 max-xl:pr-0">
        <Checkbox
          aria-label={`Select “${piece.title}”`}
          checked={checked}
          disabled={isBulk}
          onCheckedChange={(value) => onCheck(value === true)}
        />
      </TableCell>
      <TableCell className="[overflow-wrap:anywhere] max-xl:h-auto max-xl:px-0 max-xl:pt-3 md:max-xl:col-span-2">
        <Link dir="auto" className="mr-3 underline-offset-3 hover:underline" href={`/content/${piece.id}`}>
          {piece.title}
        </Link>
        {review?.losses ? (
          // The row's other link prefetches already.
          <Link href={`/content/${piece.id}?tab=preview`} prefetch={false} className={REVIEW_LINK}>
            {willNotAppear(review.losses)}
          </Link>
        ) : null}
        {review?.holding && !isLive(piece) ? (
          <Link href={`/content/${piece.id}`} prefetch={false} className={REVIEW_LINK}>
            Not ready
          </Link>
        ) : null}
        {piece.publishError ? <p className="text-destructive text-sm">{piece.publishError}</p> : null}
      </TableCell>
      {withTopic ? (
        <TableCell
          dir="auto"
          title={topicName}
          className="w-1/5 truncate text-muted-foreground max-xl:row-start-2 max-xl:h-auto max-xl:w-auto max-xl:px-0 max-xl:text-sm md:max-xl:col-start-3 md:max-xl:pb-3 md:max-xl:pl-3 max-md:col-start-2 max-md:whitespace-normal max-md:wrap-anywhere"
        >
          {topicName ?? `Topic ${piece.topicId}`}
        </TableCell>
      ) : null}
      <TableCell className="w-40 whitespace-nowrap max-xl:col-start-2 max-xl:h-auto max-xl:w-auto max-xl:px-0 max-xl:pb-3 md:max-xl:row-start-2">
        <span className="flex flex-wrap gap-1">
          <StatusBadge {...CONTENT_STATES[piece.status].site} />
          <NewerHereBadge piece={piece} />
          <PieceWorkBadge piece={piece} />
        </span>
      </TableCell>
      <TableCell className="w-56 max-xl:-col-start-2 max-xl:row-span-2 max-xl:row-start-1 max-md:row-span-3 max-md:row-start-1 max-xl:h-auto max-xl:w-auto max-xl:self-center max-xl:p-0">
        <PieceActions piece={piece} topicName={topicName} isBusy={publishing.pieceIds.has(piece.id)} isBulk={isBulk} />
      </TableCell>
    </TableRow>
  );
}
