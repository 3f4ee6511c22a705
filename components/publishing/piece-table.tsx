"use client";

import Link from "next/link";
import { PieceActions } from "@/components/publishing/piece-actions";
import { checkedState } from "@/components/publishing/selection";
import { StatusBadge } from "@/components/shared/status-badge";
import { Checkbox } from "@/components/ui/checkbox";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { ContentSummary } from "@/lib/features/content/schema";

type Props = {
  pieces: ContentSummary[];
  /** What the box in the head selects: "all content", or a topic's name. */
  label: string;
  topicNameOf: (topicId: number) => string;
  withTopic?: boolean;
  selected: ReadonlySet<string>;
  onSelect: (ids: string[], checked: boolean) => void;
};

/** On phones a row is the box and, beside it, title, status and actions under each other. */
const PHONE_ROW = "max-md:grid max-md:grid-cols-[3rem_minmax(0,1fr)]";

/** Publishable pieces with a box for each and one for all of them. */
export function PieceTable({ pieces, label, topicNameOf, withTopic = false, selected, onSelect }: Props) {
  const ids = pieces.map(({ id }) => id);
  return (
    <Table>
      <caption className="sr-only">{label}</caption>
      <TableHeader>
        <TableRow className={PHONE_ROW}>
          <TableHead className="w-10 max-md:grid max-md:items-center max-md:pr-0">
            <Checkbox
              aria-label={`Select ${label}`}
              checked={checkedState(ids, selected)}
              onCheckedChange={(checked) => onSelect(ids, checked === true)}
            />
          </TableHead>
          <TableHead className="max-md:grid max-md:items-center">Title</TableHead>
          {withTopic ? <TableHead className="max-md:hidden">Topic</TableHead> : null}
          <TableHead className="max-md:hidden">Status</TableHead>
          <TableHead className="text-right max-md:hidden">Actions</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {pieces.map((piece) => (
          <TableRow key={piece.id} className={PHONE_ROW} data-state={selected.has(piece.id) ? "selected" : undefined}>
            <TableCell className="max-md:grid max-md:items-center max-md:pr-0">
              <Checkbox
                aria-label={`Select “${piece.title}”`}
                checked={selected.has(piece.id)}
                onCheckedChange={(checked) => onSelect([piece.id], checked === true)}
              />
            </TableCell>
            <TableCell className="min-w-40 break-words max-md:h-auto max-md:min-w-0 max-md:pt-3">
              <Link className="underline-offset-3 hover:underline" href={`/content/${piece.id}`}>
                {piece.title}
              </Link>
              {piece.publishError ? <p className="text-destructive text-sm">{piece.publishError}</p> : null}
            </TableCell>
            {withTopic ? (
              <TableCell className="max-w-50 truncate text-muted-foreground max-md:hidden">
                {topicNameOf(piece.topicId)}
              </TableCell>
            ) : null}
            <TableCell className="whitespace-nowrap max-md:col-start-2 max-md:h-auto">
              <StatusBadge status={piece.status} view="publishing" />
            </TableCell>
            <TableCell className="max-md:col-start-2 max-md:h-auto max-md:pb-3">
              <PieceActions piece={piece} topicName={topicNameOf(piece.topicId)} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
