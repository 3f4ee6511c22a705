"use client";

import { Ban, ChevronsUp, ExternalLink, type LucideIcon, RotateCw } from "lucide-react";
import Link from "next/link";
import { type ComponentProps, useCallback, useEffect } from "react";
import { ActionMenu } from "@/components/shared/action-menu";
import type { MenuAction } from "@/components/shared/action-menu-panel";
import { ErrorState } from "@/components/shared/error-state";
import { useFocusHandover } from "@/components/shared/focus-return";
import { LocalTime } from "@/components/shared/local-time";
import { StatusBadge } from "@/components/shared/status-badge";
import { useVirtualWindow } from "@/components/shared/use-virtual-window";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { doingOf, shortId, WAITING_WORD } from "@/components/work/queue-view";
import type { QueueRows } from "@/components/work/use-queue-rows";
import { placeRow } from "@/lib/client/page-place";
import { type ItemVerb, useQueueItem } from "@/lib/features/work/client";
import type { QueueItemOut } from "@/lib/features/work/schema";
import { isEnded, PROCESSING_BADGES } from "@/lib/features/work/states";

/** The height of a row on wide screens, in pixels. */
const ROW_HEIGHT = 53;
/** So many rows before the end the next page is loaded. */
const ROWS_AHEAD = 10;

/** `pace`: how many seconds an item takes; `runAddress`: see QueueStatus. */
export type RowFacts = { pace: number | null; runAddress: string | null };

/** The rows of a queue, in columns that all its groups share; further ones are loaded as one scrolls. */
export function ItemRows({
  rows,
  loadMore,
  isFetching,
  error,
  caption,
  pace,
  runAddress,
}: QueueRows & RowFacts & { caption: string }) {
  const { first, end, before, after, listRef, follower, measure } = useVirtualWindow({
    count: rows.length,
    keyOf: useCallback((index: number) => rows[index]?.id ?? String(index), [rows]),
    estimate: useCallback(() => ROW_HEIGHT, []),
  });
  const isNearEnd = end > rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd && !error) loadMore?.();
  });
  return (
    <div ref={listRef} style={{ paddingTop: before, paddingBottom: after }}>
      {follower}
      <Table className="md:table-fixed">
        <caption className="sr-only">{caption}</caption>
        <TableHeader className="max-md:hidden">
          <TableRow>
            <TableHead>Content ID</TableHead>
            <TableHead className="w-60">Status</TableHead>
            <TableHead className="w-22">Retries</TableHead>
            <TableHead className="w-50 max-lg:hidden">Created</TableHead>
            <TableHead className="w-14">
              <span className="sr-only">Actions</span>
            </TableHead>
          </TableRow>
        </TableHeader>
        <TableBody className="tabular-nums">
          {rows.slice(first, end).map((item, at) => (
            <ItemRow
              key={item.id}
              ref={measure}
              index={first + at}
              item={item}
              doing={isEnded(item.status) ? null : doingOf(item, { ahead: first + at, pace })}
              runAddress={runAddress}
            />
          ))}
        </TableBody>
      </Table>
      {error && loadMore ? (
        <div className="border-t p-4">
          <ErrorState title="More rows did not load" error={error} pending={isFetching} onRetry={loadMore} />
        </div>
      ) : null}
    </div>
  );
}

function ItemRow({
  ref,
  index,
  item,
  doing,
  runAddress,
}: {
  ref: (row: Element | null) => void;
  index: number;
  item: QueueItemOut;
  doing: ReturnType<typeof doingOf> | null;
  runAddress: string | null;
}) {
  const { label, look } = PROCESSING_BADGES[item.status];
  const error = item.waits && item.waits.for !== "retry" ? null : item.error;
  return (
    <TableRow
      ref={ref}
      data-index={index}
      {...placeRow(item.id)}
      className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:py-2"
    >
      <TableCell className="max-md:h-auto">
        {item.title === null ? (
          <span>Deleted piece</span>
        ) : (
          <Link
            dir="auto"
            title={item.title}
            className="wrap-anywhere text-link underline-offset-3 hover:underline md:line-clamp-2"
            href={`/content/${item.contentPieceId}`}
          >
            {item.title}
          </Link>
        )}
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {shortId(item.contentPieceId)} · <span dir="auto">{item.topicName}</span>
          {item.tokens > 0 ? ` · ${item.tokens.toLocaleString("en-US")} tokens` : null}
        </p>
        {(error ?? item.note) ? (
          <p className="max-w-[68ch] whitespace-normal text-sm">
            <span className={item.status === "failed" ? "text-destructive" : "text-muted-foreground"}>
              {error ?? item.note}
            </span>
          </p>
        ) : null}
      </TableCell>
      <TableCell className="max-md:col-span-2 max-md:row-start-2 max-md:h-auto">
        <span className="flex flex-wrap items-center gap-x-2">
          <StatusBadge label={label} look={item.waits ? "waiting" : look} />
          {item.waits ? <span className="text-sm">{WAITING_WORD[item.waits.for]}</span> : null}
          <span className="text-muted-foreground md:hidden">
            Retries {item.retryCount}/{item.maxRetries}
          </span>
        </span>
        {doing ? (
          <p className="text-muted-foreground text-sm">
            {doing.words}
            {doing.until ? <LocalTime before=" " at={doing.until} style="short" /> : null}
          </p>
        ) : null}
      </TableCell>
      <TableCell className="max-md:hidden">
        {item.retryCount}/{item.maxRetries}
      </TableCell>
      <TableCell className="whitespace-nowrap text-muted-foreground max-lg:hidden">
        <LocalTime at={item.createdAt} style="short" />
      </TableCell>
      <TableCell className="text-right max-md:col-start-2 max-md:row-start-1 max-md:h-auto max-md:px-2">
        <ItemActions item={item} runAddress={runAddress} />
      </TableCell>
    </TableRow>
  );
}

function ItemActions({ item, runAddress }: { item: QueueItemOut; runAddress: string | null }) {
  const hand = useQueueItem();
  const name = item.title ?? shortId(item.contentPieceId);
  const isOnHold = item.waits?.for === "user" || item.waits?.for === "pause";
  const action = (label: string, Icon: LucideIcon, verb: ItemVerb) => ({
    label,
    icon: <Icon aria-hidden="true" />,
    onSelect: () => hand.mutate({ item, verb }),
  });
  const actions: MenuAction[] = [];
  if (item.status === "pending" && !isOnHold) actions.push(action("Do next", ChevronsUp, "next"));
  if (item.status === "failed" && item.title !== null) actions.push(action("Try again", RotateCw, "retry"));
  if (!isEnded(item.status)) actions.push(action("Cancel", Ban, "cancel"));
  if (runAddress && item.runId) {
    const href = runAddress.replaceAll("{runId}", encodeURIComponent(item.runId));
    actions.push({ label: "Open run", icon: <ExternalLink aria-hidden="true" />, href, newWindow: true });
  }
  return actions.length > 0 ? (
    <RowMenu label={`Actions for ${name}`} actions={actions} isBusy={hand.isPending} />
  ) : null;
}

/** An action moves its row to another list, or leaves nothing to do. */
function RowMenu(props: ComponentProps<typeof ActionMenu>) {
  const menu = useFocusHandover<HTMLSpanElement>();
  return (
    <span ref={menu}>
      <ActionMenu {...props} />
    </span>
  );
}
