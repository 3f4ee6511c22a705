import Link from "next/link";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import { Card, CardHeader, CardTitle } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { FoldedGroup } from "@/components/work/folded-group";
import { failureNote, groupRows, shortId } from "@/components/work/queue-view";
import { ShownCount } from "@/components/work/shown-count";
import { placeRow } from "@/lib/client/page-place";
import type { QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import { PROCESSING_BADGES } from "@/lib/features/work/states";

type Props = {
  title: string;
  empty: string;
  items: QueueItemOut[];
  total: QueueStatus["total"]["outlineQueue"];
};

/** One of the two queues: live items first, then cancelled ones; completed items are collapsed. */
export function QueueTable({ title, empty, items, total }: Props) {
  const { active, shown, folded, done } = groupRows(items, total);
  const failed = done.rows.filter(({ status }) => status === "failed").length;
  return (
    <Card className="overflow-hidden">
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        <ShownCount shown={active.rows.length} total={active.total} />
      </CardHeader>
      {items.length === 0 ? <p className="border-t px-4 py-6 text-muted-foreground">{empty}</p> : null}
      {shown.length > 0 ? <Rows items={shown} caption={title} /> : null}
      <FoldedGroup
        id={`cancelled: ${title}`}
        label="More cancelled items"
        shown={folded.rows.length}
        total={folded.total}
      >
        <Rows items={folded.rows} caption={`${title}, more cancelled items`} />
      </FoldedGroup>
      <FoldedGroup
        id={`completed: ${title}`}
        label="Completed Items"
        shown={done.rows.length}
        total={done.total}
        note={failureNote(failed, "failed")}
      >
        <Rows items={done.rows} caption={`${title}, completed items`} />
      </FoldedGroup>
    </Card>
  );
}

function Rows({ items, caption }: { items: QueueItemOut[]; caption: string }) {
  return (
    <Table>
      <caption className="sr-only">{caption}</caption>
      <TableHeader className="max-md:hidden">
        <TableRow>
          <TableHead>Content ID</TableHead>
          <TableHead>Status</TableHead>
          <TableHead>Retries</TableHead>
          <TableHead>Created</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {items.map((item) => (
          <TableRow
            key={item.id}
            {...placeRow(item.id)}
            className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:py-1.5"
          >
            <TableCell className="w-full max-md:contents">
              <span className="max-md:px-4 max-md:py-1.5">
                <Link className="text-link underline-offset-3 hover:underline" href={`/content/${item.contentPieceId}`}>
                  {shortId(item.contentPieceId)}
                </Link>
              </span>
              {(item.error ?? item.note) ? (
                <p className="max-w-[52ch] whitespace-normal text-muted-foreground text-sm max-md:col-span-2 max-md:row-start-2 max-md:px-4">
                  {item.error ?? item.note}
                </p>
              ) : null}
            </TableCell>
            <TableCell className="max-md:h-auto max-md:justify-self-end">
              <StatusBadge {...PROCESSING_BADGES[item.status]} />
            </TableCell>
            <TableCell className="max-md:h-auto">
              <span className="text-muted-foreground md:hidden">Retries </span>
              {item.retryCount}/{item.maxRetries}
            </TableCell>
            <TableCell className="w-50 whitespace-nowrap text-muted-foreground max-md:h-auto max-md:w-auto max-md:justify-self-end">
              <LocalTime at={item.createdAt} style="short" />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
