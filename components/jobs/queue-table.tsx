import Link from "next/link";
import { CompletedGroup } from "@/components/jobs/completed-group";
import { doneOf, groupRows, shortId } from "@/components/jobs/queue-view";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import { Card, CardHeader, CardTitle } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { QueueItemOut } from "@/lib/features/jobs/schema";

type Props = {
  title: string;
  empty: string;
  items: QueueItemOut[];
  total: { live: number; finished: number };
  now: number;
};

/** One of the two queues: what is live on top, what is done folded away. */
export function QueueTable({ title, empty, items, total, now }: Props) {
  const { active, done } = groupRows(items, now);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {total.live > active.length ? (
          <span className="text-muted-foreground text-sm tabular-nums">
            showing {active.length} of {total.live.toLocaleString("en-US")}
          </span>
        ) : null}
      </CardHeader>
      {active.length === 0 && done.length === 0 ? (
        <p className="border-t px-4 py-6 text-muted-foreground">{empty}</p>
      ) : null}
      {active.length > 0 ? <Rows items={active} caption={title} /> : null}
      <CompletedGroup label="Completed Items" shown={done.length} total={doneOf(items, total.finished)}>
        <Rows items={done} caption={`${title}, completed items`} />
      </CompletedGroup>
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
          <TableRow key={item.id} className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:py-1.5">
            <TableCell className="max-md:h-auto">
              <Link className="text-link underline-offset-3 hover:underline" href={`/content/${item.contentPieceId}`}>
                {shortId(item.contentPieceId)}
              </Link>
              {(item.error ?? item.note) ? (
                <p className="max-w-[52ch] whitespace-normal text-muted-foreground text-sm">
                  {item.error ?? item.note}
                </p>
              ) : null}
            </TableCell>
            <TableCell className="max-md:h-auto max-md:justify-self-end">
              <StatusBadge status={item.status} view="processing" />
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
