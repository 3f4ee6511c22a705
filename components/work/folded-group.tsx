"use client";

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "@/components/ui/collapsible";
import { useRememberedIds } from "@/lib/client/use-remembered-ids";

/**
 * A collapsed group of rows, which stays open for those who come back. `shown`: how many of the `total` can be reached, if not
 * all; `note` follows the count.
 */
export function FoldedGroup({
  id,
  label,
  total,
  shown = total,
  note,
  children,
}: {
  /** Unique on the screen. */
  id: string;
  label: string;
  total: number;
  shown?: number;
  note?: string | undefined;
  children: ReactNode;
}) {
  const [open, remember] = useRememberedIds("/queue-monitor", "open");
  if (shown === 0) return null;
  const count = total > shown ? `showing ${shown} of ${total.toLocaleString("en-US")}` : shown.toLocaleString("en-US");
  return (
    <Collapsible
      className="border-t"
      open={open?.includes(id) ?? false}
      onOpenChange={(isOpen) => remember([...(open ?? []).filter((each) => each !== id), ...(isOpen ? [id] : [])])}
    >
      <CollapsibleTrigger className="group flex min-h-11 w-full items-center gap-2 px-4 text-left text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 transition-transform group-data-[state=open]:rotate-90"
        />
        <span className="py-1 tabular-nums">
          {label} ({note ? `${count}, ${note}` : count})
        </span>
      </CollapsibleTrigger>
      <CollapsibleContent>{children}</CollapsibleContent>
    </Collapsible>
  );
}
