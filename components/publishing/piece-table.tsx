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

/** Publishable pieces with a box for each and one for all of them. */
export function PieceTable({ pieces, label, topicNameOf, withTopic = false, selected, onSelect }: Props) {
  const ids = pieces.map(({ id }) => id);
  return (
    <Table>
      <caption className="sr-only">{label}</caption>
      <TableHeader>
        <TableRow>
          <TableHead className="w-10">
            <Checkbox
              aria-label={`Select ${label}`}
              checked={checkedState(ids, selected)}
              onCheckedChange={(checked) => onSelect(ids, checked === true)}
            />
          </TableHead>
          <TableHead>Title</TableHead>
          {withTopic ? <TableHead className="max-md:hidden">Topic</TableHead> : null}
          <TableHead>Status</TableHead>
          <TableHead className="text-right">Actions</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {pieces.map((piece) => (
          <TableRow key={piece.id} data-state={selected.has(piece.id) ? "selected" : undefined}>
            <TableCell>
              <Checkbox
                aria-label={`Select “${piece.title}”`}
                checked={selected.has(piece.id)}
                onCheckedChange={(checked) => onSelect([piece.id], checked === true)}
              />
            </TableCell>
            <TableCell className="min-w-40 break-words">
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
            <TableCell className="whitespace-nowrap">
              <StatusBadge status={piece.status} view="publishing" />
            </TableCell>
            <TableCell>
              <PieceActions piece={piece} topicName={topicNameOf(piece.topicId)} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
