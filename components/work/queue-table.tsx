"use client";

import { useMemo } from "react";
import { Card, CardHeader, CardTitle } from "@/components/ui/card";
import { FoldedGroup } from "@/components/work/folded-group";
import { ItemRows, type RowFacts } from "@/components/work/item-rows";
import { failureNote, MAX_OPEN_CANCELLED } from "@/components/work/queue-view";
import { ShownCount } from "@/components/work/shown-count";
import { useQueueRows } from "@/components/work/use-queue-rows";
import type { JobType, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import type { ProcessingStatus } from "@/lib/features/work/states";

type Props = RowFacts & {
  kind: JobType;
  title: string;
  empty: string;
  items: QueueItemOut[];
  total: QueueStatus["total"]["outlineQueue"];
  /** How many of the finished ones are completed. */
  completed: number;
};

/** One of the two queues: live items in the order of their work, then cancelled ones; finished ones are collapsed. */
export function QueueTable({ kind, title, empty, items, total, completed, ...facts }: Props) {
  const first = useMemo(() => byState(items), [items]);
  const { cancelled } = first;
  const live = useQueueRows(kind, "live", first.live, total.live);
  const isAll = live.loadMore === undefined;
  const rows = useMemo(
    () => (isAll ? [...live.rows, ...cancelled.slice(0, MAX_OPEN_CANCELLED)] : live.rows),
    [isAll, live.rows, cancelled],
  );
  const foldedTotal = Math.max(0, total.cancelled - MAX_OPEN_CANCELLED);
  const failed = total.finished - completed;
  return (
    <Card className="overflow-hidden">
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        <ShownCount shown={rows.length} total={total.live + Math.min(total.cancelled, MAX_OPEN_CANCELLED)} />
      </CardHeader>
      {items.length === 0 ? <p className="border-t px-4 py-6 text-muted-foreground">{empty}</p> : null}
      {rows.length > 0 ? (
        <div className="border-t">
          <ItemRows {...live} {...facts} rows={rows} caption={title} />
        </div>
      ) : null}
      <FoldedGroup id={`cancelled: ${title}`} label="More cancelled items" total={foldedTotal}>
        <Cancelled kind={kind} first={cancelled} total={total.cancelled} title={title} facts={facts} />
      </FoldedGroup>
      <FoldedGroup
        id={`completed: ${title}`}
        label="Completed Items"
        total={total.finished}
        note={failureNote(failed, "failed")}
      >
        <Finished
          kind={kind}
          completed={{ first: first.completed, total: completed }}
          failed={{ first: first.failed, total: failed }}
          title={title}
          facts={facts}
        />
      </FoldedGroup>
    </Card>
  );
}

/** Those at work come first, in the order of their work as the others. */
function byState(items: QueueItemOut[]) {
  const of = (...statuses: ProcessingStatus[]) => items.filter(({ status }) => statuses.includes(status));
  return {
    live: [...of("processing"), ...of("pending")],
    cancelled: of("cancelled"),
    completed: of("completed"),
    failed: of("failed"),
  };
}

type Group = { first: QueueItemOut[]; total: number };
type GroupProps = { kind: JobType; title: string; facts: RowFacts };

function Cancelled({ kind, first, total, title, facts }: GroupProps & Group) {
  const cancelled = useQueueRows(kind, "cancelled", first, total);
  const rows = useMemo(() => cancelled.rows.slice(MAX_OPEN_CANCELLED), [cancelled.rows]);
  return <ItemRows {...cancelled} {...facts} rows={rows} caption={`${title}, more cancelled items`} />;
}

/** Completed items come before the failed ones. */
function Finished({ kind, completed, failed, title, facts }: GroupProps & { completed: Group; failed: Group }) {
  const done = useQueueRows(kind, "completed", completed.first, completed.total);
  const lost = useQueueRows(kind, "failed", failed.first, failed.total);
  const isAll = done.loadMore === undefined;
  const rows = useMemo(() => (isAll ? [...done.rows, ...lost.rows] : done.rows), [isAll, done.rows, lost.rows]);
  return <ItemRows {...(isAll ? lost : done)} {...facts} rows={rows} caption={`${title}, completed items`} />;
}
